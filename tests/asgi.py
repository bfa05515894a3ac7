"""Requests to an ASGI app in this process, without a server."""

import asyncio


def get(app, path, method="GET", **headers):
    """Status, headers and body of an answer."""
    return asyncio.run(answer(app, path, method, **headers))


async def answer(app, path, method="GET", **headers):
    """The same, where an event loop runs; a header that is None is not sent."""
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items() if value is not None]
    messages = []

    async def receive():
        await asyncio.Event().wait()  # the browser stays

    async def send(message):
        messages.append(message)

    path, _, query = path.partition("?")
    scope = {"type": "http", "scheme": "http", "method": method, "path": path, "root_path": "", "headers": sent}
    scope["query_string"] = query.encode()
    await app(scope, receive, send)
    found = {name.decode(): value.decode() for name, value in messages[0]["headers"]}
    return messages[0]["status"], found, b"".join(message.get("body", b"") for message in messages[1:])
