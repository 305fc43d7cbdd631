from __future__ import annotations

import pytest

from askwell.sources.secrets import redact

# Put together here, so that no scanner of repositories takes a test for a leak.
MIXED = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"
HEX = "9f3aeaa7bbabcf42b724f65d4acb38456899ca32"
DASH = "-" * 5
JWT = "ey" + "JhbGciOiJIUzI1NiJ9." + "ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0." + MIXED[:36]

ISSUED = [
    ("aws key", "AKIA" + "IOSFODNN7EXAMPLE"),
    ("aws key", "ASIA" + "Y34FZKBOKMUTVV7A"),
    ("github token", "ghp_" + MIXED[:36]),
    ("github token", "gho_" + MIXED[:36]),
    ("github token", "github_pat_" + MIXED[:22] + "_" + MIXED),
    ("gitlab token", "glpat-" + MIXED[:20]),
    ("slack token", "xoxb-" + "123456789012-" + MIXED[:24]),
    ("slack token", "xapp-1-" + MIXED[:24]),
    ("anthropic key", "sk-ant-" + "api03-" + MIXED),
    ("openai key", "sk-proj-" + MIXED),
    ("openai key", "sk-" + MIXED),
    ("google key", "AIza" + MIXED[:35]),
    ("google key", "GOCSPX-" + MIXED[:28]),
    ("stripe key", "sk_live_" + MIXED[:24]),
    ("stripe key", "rk_test_" + MIXED[:24]),
    ("hugging face token", "hf_" + MIXED[:34]),
    ("npm token", "npm_" + MIXED[:36]),
    ("pypi token", "pypi-AgE" + MIXED),
    ("docker token", "dckr_pat_" + MIXED[:27]),
    ("digitalocean token", "dop_v1_" + HEX),
    ("tailscale key", "tskey-auth-" + MIXED[:16]),
    ("sendgrid key", "SG." + MIXED[:22] + "." + MIXED),
    ("vault token", "hvs." + MIXED),
    ("age key", "AGE-SECRET-KEY-1" + MIXED.upper() + MIXED.upper()[:18]),
    ("telegram token", "123456789:AA" + MIXED[:33]),
    ("jwt", JWT),
]


@pytest.mark.parametrize(("kind", "token"), ISSUED, ids=[f"{kind} {token[:6]}" for kind, token in ISSUED])
@pytest.mark.parametrize("around", ["{}", "use {} now", "x={}", '"{}",', "`{}`", "({})", "a\n{}\nb", "url?key={}&b=c"])
def test_a_marked_token_is_replaced_wherever_it_stands(kind: str, token: str, around: str) -> None:
    redacted = redact(around.format(token))
    assert redacted == around.format(f"[redacted: {kind}]")


LEAKS = [
    ("password = hunter2", "hunter2"),
    ("password: Sommer2019!", "Sommer2019!"),
    ('password = "correct"', "correct"),
    ("DB_PASSWORD=letmein", "letmein"),
    ("export PGPASSWORD='s3cr3t'", "s3cr3t"),
    ("  - MYSQL_ROOT_PASSWORD=tiger", "tiger"),
    ("POSTGRES_PASSWORD: sesame", "sesame"),
    ('"password": "hunter2",', "hunter2"),
    ('{\\"password\\": \\"hunter2\\"}', "hunter2"),
    ("'db_pass' => 'tr0ub4dor',", "tr0ub4dor"),
    ("smtp_pass=Xy12ab", "Xy12ab"),
    ("$dbPassword = 'geheim1';", "geheim1"),
    ("Passwort: Winter2024", "Winter2024"),
    ("contraseña: clave123", "clave123"),
    ("şifre: istanbul34", "istanbul34"),
    ("**Password:** `hunter2`", "hunter2"),
    ("- **Password**: hunter2", "hunter2"),
    ("the password is `hunter2`", "hunter2"),
    ("# password: hunter2", "hunter2"),
    ("; password = hunter2", "hunter2"),
    ("PIN and password: 482913", "482913"),
    ('passphrase: "correct horse battery staple"', "horse"),
    ("psk=9aB33xZ1", "9aB33xZ1"),
    (f"api_key: {MIXED}", MIXED),
    (f"api-key={HEX}", HEX),
    (f"token: {HEX}", HEX),
    ("token=abc123def456", "abc123def456"),
    (f"https://h.example/x?token={MIXED}&a=b", MIXED),
    (f"aws_secret_access_key = {MIXED[:30]}/+", MIXED[:30]),
    (f"CLIENT_SECRET={MIXED[:24]}", MIXED[:24]),
    ('secret: "s3cr3tvalue"', "s3cr3tvalue"),
    ("AccountKey=" + MIXED + "==;EndpointSuffix=core", MIXED),
    (f"PrivateKey = {MIXED}abc=", MIXED),
    ("Authorization: Bearer " + MIXED, MIXED),
    ('-H "Authorization: Basic dXNlcjpwYXNzd29ydA=="', "dXNlcjpwYXNzd29ydA"),
    (f"-H 'X-Api-Key: {MIXED}'", MIXED),
    ("postgres://app:hunter2@db.example/app", "hunter2"),
    ("https://bob:p%40ss1@git.example/r.git", "p%40ss1"),
    ("curl -u bob:hunter2 https://h.example", "hunter2"),
    ("tool --password hunter2 --yes", "hunter2"),
    ("tool --password=hunter2", "hunter2"),
    ("tool --api-key 'k3yk3yk3y'", "k3yk3yk3y"),
    ("<password>hunter2</password>", "hunter2"),
    ("define('DB_PASSWORD', 'hunter2');", "hunter2"),
    ("Server=db;User Id=sa;Password=Abc123;Database=x", "Abc123"),
    ("root:$6$" + "saltsalt$" + MIXED + MIXED, MIXED),
    ("$2b$12$" + MIXED + MIXED[:13], MIXED),
    ("bob:$apr1$saltsalt$" + MIXED[:22], MIXED[:22]),
    ("https://hooks.slack.com/services/" + "T0AB12CD3/B0EF45GH6/" + MIXED[:24], MIXED[:24]),
    ("${DB_PASSWORD:-hunter2}", "hunter2"),
    ("password: >-\n  hunter2\n", "hunter2"),
    ('password == "hunter2"', "hunter2"),
    ("user: bob, password: hunter2, host: h", "hunter2"),
    ("DEFAULT_PASSWORD=hunter2", "hunter2"),
    ("token=password=hunter2", "hunter2"),
    ("token: 123e4567-e89b-12d3-a456-426614174000", "426614174000"),
    ("password=ab<cd>12", "cd"),
    ('password: "it\'s1me"', "s1me"),
    ('"password": "a\\"b1c2",', "b1c2"),
    ("mysql -pS3cretX db", "S3cretX"),
    ("mysqldump -u root -p'S3cret X1' db > x", "S3cret X1"),
    ('mariadb -h db -p"it\'s3cret"', "s3cret"),
    ("mysql --password='S3cretX'", "S3cretX"),
    ("docker exec db mysql -uroot -p12345678", "12345678"),
    ("sshpass -p S3cretX ssh bob@h", "S3cretX"),
    ("sshpass -p 'geheim' ssh bob@h", "geheim"),
    ("curl -sS -ubob:S3cretX https://h.example", "S3cretX"),
    ("password:\n  value: S3cretX", "S3cretX"),
    ("token:\r\n    value: 'abc123def456'", "abc123def456"),
    ("- name: DB_PASSWORD\n  value: S3cretX", "S3cretX"),
    ('- name: "API_KEY"\n  value: "k3yk3yk3y"', "k3yk3yk3y"),
    ('{"name": "DB_PASSWORD", "value": "S3cretX"}', "S3cretX"),
    ("| Host | Password |\n|---|---|\n| a | S3cretX |", "S3cretX"),
    ("Host | **Passwort**\n:--|--:\nb | `Sommer2019!`\n", "Sommer2019!"),
    ("| Service | API token |\n| --- | --- |\n| x | tok_9f8a7b6c |", "9f8a7b6c"),
    (f"| Secret key |\n|---|\n| {MIXED} |", MIXED),
    ("The wifi password is S3cretX1.", "S3cretX1"),
    ("the password for the nas is hunter2, of course", "hunter2"),
    ("Das Passwort ist **Sommer2019**", "Sommer2019"),
    ('user "bob" pass "hunter2x"', "hunter2x"),
    ("login with password 'S3cretX'", "S3cretX"),
    ('"auth": ["user","S3cretX"]', "S3cretX"),
    ("requests.get(url, auth=('bob', 'S3cretX'))", "S3cretX"),
    ("AKIA" + f"Y34FZKBOKMUTVV7A, secret access key {MIXED}", MIXED),
    (f"secret {MIXED} of " + "AKIA" + "Y34FZKBOKMUTVV7A", MIXED),
]


@pytest.mark.parametrize(("text", "secret"), LEAKS, ids=[text[:32] for text, _ in LEAKS])
def test_a_credential_is_replaced(text: str, secret: str) -> None:
    redacted = redact(text)
    assert secret not in redacted
    assert "[redacted: " in redacted
    assert redacted.count("\n") == text.count("\n")


KEPT = [
    "",
    "password",
    "password:",
    "password = ",
    'password = ""',
    "password: changeme",
    "password: <your password>",
    "password: xxxxxxxx",
    "password: ********",
    "password: ${DB_PASSWORD}",
    "password: $DB_PASSWORD",
    "password=$(cat /run/secrets/db)",
    'password: "{{ vault_db_password }}"',
    "password: {{ db_password }}",
    "password: !secret recorder_db",
    "password: !vault |",
    "password: *default_password",
    "password = os.environ['DB_PASSWORD']",
    "password = get_password(user)",
    "password=self.password",
    "password=db_password",
    "$password = $_POST['password'];",
    "password: required",
    "password: string",
    "password: null",
    "password: admin",
    "password_file: /run/secrets/db_password",
    "POSTGRES_PASSWORD_FILE=/run/secrets/pg",
    "password: /etc/app/password.txt",
    "passwordPolicy: strict9",
    "the password is stored in the vault",
    "The password: it must be changed after 90 days.",
    "Password: see the note on rotating",
    "How do I reset my password? Ask.",
    'label = "Enter your new password please"',
    '"password": "Your password is too short"',
    "Default login: admin / password: admin123",
    "example default password: raspberry1",
    "max_tokens: 4096",
    "tokens = 512",
    "tokenizer: bert-base",
    "token_ttl: 3600s",
    "token: 24h",
    "token: YOUR_TOKEN_HERE",
    "token: your-token-here-123",
    "api_key: example-key-1234",
    "api_key = API_KEY",
    "secretName: tls-prod-1",
    "secret: my-app-tls",
    "secret_name: db1prod",
    "secretary: Anna1",
    "secret: sha256:" + HEX + HEX[:24],
    "commit " + HEX,
    "sha256:" + HEX + HEX[:24],
    '"integrity": "sha512-' + MIXED + MIXED + '=="',
    '"js-tokens": "^4.0.0",',
    "id: 123e4567-e89b-12d3-a456-426614174000",
    "hash = " + HEX,
    "key: value1",
    "primary_key: id1",
    "keyboard_key: F12",
    "public_key: ssh-ed25519 " + MIXED,
    "Bearer authentication is used",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "Basic knowledge of shells",
    "postgres://user:password@localhost/db",
    "postgres://${USER}:${PASS}@db/app",
    "https://host.example:8080/a@b",
    "ssh://git@host.example:22/x",
    "http://[::1]:80/",
    "curl -u $USER:$PASS https://h",
    "tool --password FILE",
    "tool --token <token>",
    "tool --password-file /x/y1",
    "docker run -v $PWD:/code image",
    "docker run -v $PWD:/code1 image",
    "user:password:uid:gid:name:home1:shell",
    "ciphers: ALL:!PSK:!RC4",
    "bypass: 10.0.0.0/8",
    "compass: n0rth",
    "first pass: 12 files",
    "task-list-item-1 and disk-usage-report-for-2024-01",
    "AKIA is the prefix of a key id",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "sk-your-key-goes-here-1234567890",
    "eyJ is how a JWT begins",
    f"{DASH}BEGIN PRIVATE KEY{DASH} is how a key file begins",
    f"{DASH}BEGIN PRIVATE KEY{DASH}\n...\n{DASH}END PRIVATE KEY{DASH}",
    f"{DASH}BEGIN CERTIFICATE{DASH}\n{MIXED}\n{DASH}END CERTIFICATE{DASH}",
    "rewrite ^ /img/$1$2$3$4$5$6$7$8.jpg last;",
    "token: [redacted: token]",
    "mysql -p",
    "mysql -u root -p db1prod",
    "mysql -p$MYSQL_PASSWORD db",
    "mysql -p'<password>' db",
    "docker run --name mysql -p3306:3306 image1",
    "dump of mysql | ssh -p2222x host",
    "mkdir -parents1 mysql",
    "sshpass -p $PASS ssh h",
    "sshpass -f file1 ssh h",
    "curl -u$USER:$PASS h",
    "password:\n  value: changeme",
    "password:\n  value: {{ vault_password }}",
    "password:\n  type: string1",
    "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: x1",
    "- name: DB_HOST\n  value: db1prod",
    "- name: password\n  value: The password of the account",
    "| Option | Password |\n|---|---|\n| a | required |\n| b | SHA-256 |\n| c | 8-64 chars |",
    "| Key | Action |\n|---|---|\n| Ctrl+Shift+F12 | quit |\n| enableHttp2Push | on |",
    "| Token | Meaning |\n|---|---|\n| T_STRING2 | text |\n| %Y4 | year |",
    "| User | Default password |\n|---|---|\n| pi | raspberry1 |",
    "| Host | Password |\n\n| a | hunter2x |",
    "| Password |\n|---|\n\nhunter2x | not in the table",
    "the password is base64-encoded",
    "The password is 8-64 characters long",
    "the password is SHA256-hashed",
    "The password is case-sensitive.",
    "the password is v2.0.1 of the form",
    "the wifi key is WPA2",
    'you can pass "utf8mb4" as charset',
    'Pass "utf8mb4" to it',
    'pass "--level9x"',
    "pass `log4j2` to it",
    'It must pass "test1ab"',
    '"auth": ["basic", "bearer"]',
    '"auth": ["user", "password"]',
    "auth=('user', 'pass')",
    f"a secret {MIXED} without an id",
    "notes/ghp-like_a1B2c3D4e5F6.md",
]


@pytest.mark.parametrize("text", KEPT, ids=[text[:32] for text in KEPT])
def test_what_is_no_credential_stays(text: str) -> None:
    assert redact(text) == text


def test_a_private_key_leaves_its_line_breaks() -> None:
    lines = ("Proc-Type: 4,ENCRYPTED", "", MIXED, MIXED, f"{DASH}END RSA PRIVATE KEY{DASH}")
    key = "\r\n".join((f"{DASH}BEGIN RSA PRIVATE KEY{DASH}", *lines))
    assert redact(f"before\n{key}\nafter\n") == "before\n[redacted: private key]" + "\r\n" * 5 + "\nafter\n"


@pytest.mark.parametrize("indent", ["", "    ", "> ", "# ", "\t"])
def test_a_private_key_is_found_in_any_margin(indent: str) -> None:
    lines = (f"{DASH}BEGIN OPENSSH PRIVATE KEY{DASH}", MIXED, f"{DASH}END OPENSSH PRIVATE KEY{DASH}")
    key = "".join(f"{indent}{line}\n" for line in lines)
    redacted = redact(f"a\n{key}b c\n")
    assert MIXED not in redacted
    assert redacted.count("\n") == 5
    assert redacted.endswith("b c\n")


def test_a_private_key_in_one_line_of_json_is_replaced() -> None:
    text = f'{{"private_key": "{DASH}BEGIN PRIVATE KEY{DASH}\\n{MIXED}\\n{DASH}END PRIVATE KEY{DASH}\\n", "id": 7}}'
    assert redact(text) == '{"private_key": "[redacted: private key]\\n", "id": 7}'


def test_a_private_key_that_is_cut_off_is_replaced_as_far_as_it_goes() -> None:
    text = f"{DASH}BEGIN PRIVATE KEY{DASH}\n{MIXED}\n{MIXED}\n\nThe rest is prose.\n"
    assert redact(text) == "[redacted: private key]\n\n\n\nThe rest is prose.\n"


def test_two_mentions_of_key_markers_do_not_swallow_what_stands_between() -> None:
    text = (
        f"It begins with {DASH}BEGIN PRIVATE KEY{DASH} here.\nProse in between.\n{DASH}END PRIVATE KEY{DASH} ends it.\n"
    )
    assert redact(text) == text


def test_the_name_stays_and_says_what_kind_it_was() -> None:
    assert redact('smtp: {user: "bob", password: "hunter2"}') == 'smtp: {user: "bob", password: "[redacted: password]"}'
    assert redact(f"api_key={MIXED};next=1") == "api_key=[redacted: key];next=1"
