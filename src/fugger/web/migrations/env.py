"""Alembic's environment: runs in the connection the server hands over."""

from alembic import context

from fugger.web.store import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
