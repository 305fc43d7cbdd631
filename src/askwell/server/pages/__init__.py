"""What people see: pages rendered on the server, one style sheet and a few small scripts, all from here.

request ─▶ view function ─▶ engine, records (within the caller's audience) ─▶ template ─▶ page
note or answer ─▶ `markdown` ─▶ `sanitised` ─▶ the only HTML that a template takes unescaped

Every address in a page is relative, so that the pages work as well below a path of a reverse proxy.
"""
