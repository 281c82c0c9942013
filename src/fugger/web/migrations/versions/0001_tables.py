"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Makes them."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("maker", sa.String(32), nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("edition", sa.String(16), nullable=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("target", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Integer),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("seed", sa.LargeBinary(32), nullable=False),
        sa.Column("phase", sa.String(8), nullable=False),
        sa.Column("pause", sa.Float, nullable=False),
        sa.Column("rematch", sa.String(16)),
    )
    op.create_index("games_by_phase", "games", ["phase", "made"])
    op.create_table(
        "seats",
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("level", sa.String(32)),
        sa.Column("name", sa.String(64)),
        sa.Column("player", sa.String(32)),
        sa.Column("token", sa.String(64)),
        sa.Column("words", sa.String(64)),
        sa.Column("away", sa.Boolean, nullable=False),
    )
    op.create_index("seats_by_player", "seats", ["player"])
    op.create_table(
        "events",
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("ply", sa.Integer, primary_key=True),
        sa.Column("action", sa.String(8), nullable=False),
        sa.Column("deals", sa.Text, nullable=False),
        sa.Column("actor", sa.String(8), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "remarks",
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "chat",
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("text", sa.String(400), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
