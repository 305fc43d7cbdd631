from __future__ import annotations

import pytest

from askwell.sources.secrets import secret_name
from askwell.sources.words import words

HELD = words(
    """
    .env  .env.local  .env.production  app/.ENV  prod.env  docker/octopus.env  server.pem  tls/privkey.pem
    tls.key  Keys.P12  cert.pfx  store.jks  app.keystore  Passwords.kdbx  putty.ppk  AuthKey.p8  krb5.keytab
    home.ovpn  private.asc  my-secret-key.asc  www.example.pem  id_rsa  .ssh/id_ed25519  .ssh/id_example
    id_ecdsa.bak  id_ed25519_sk  secrets.yaml  secret.yaml  conf/secrets.json  secrets.toml  .secrets
    .secrets.yaml  secrets.env  secrets-prod.yaml  secrets_production.yml  secrets.enc.yaml  admin-secret.yaml
    db_credentials.yml  secrets.txt  SECRETS.YAML  credentials  credentials.json  credentials-prod.yaml
    .credentials  aws/credentials.csv  creds.txt  passwords.txt  password.txt  passwords.csv  api_keys.yaml
    apikeys.json  api-keys.txt  .netrc  _netrc  .pgpass  .htpasswd  .npmrc  .pypirc  .git-credentials  .my.cnf
    .dockercfg  .vault-token  kubeconfig  kubeconfig.yaml  prod.kubeconfig  kubeconfig-prod  .kube/config
    .aws/credentials  .docker/config.json  terraform.tfstate  terraform.tfstate.backup  prod.tfvars
    prod.auto.tfvars  prod.tfvars.json  .vault_pass  vault_password.txt  .vault-password-file  ansible_vault_pass
    etc/shadow  gshadow  shadow-  service-account.json  service_account_prod.json  client_secret_123.json
    .gnupg/x.conf  .password-store/mail.gpg  wpa_supplicant.conf  .cargo/credentials.toml  .m2/settings.xml
    client_secrets.json
    """
)

FINE = words(
    """
    .env.example  .env.sample  .env.template  .env.dist  .env.production.example  example.env  .env.j2
    secrets.yaml.example  secrets.example.yaml  secrets.yaml.dist  credentials.json.template  secrets.sample.toml
    terraform.tfvars.example  example.tfvars  kubeconfig.example  .npmrc.example  secrets.yaml.j2  secrets.md
    credentials.md  passwords.md  Secrets.rst  docs/secrets-management.md  secrets.html  rotate_secrets.sh
    secrets.py  credentials.php  vault_pass.sh  v-list-secrets.sh  secret_get.ps1  passwords.sql
    password-policy.txt  secrets-management.yaml  token.md  tokens.json  design-tokens.yaml  secretary.txt
    sealed-secrets.yaml  external-secrets.yaml  secretariat.md  credentialing.yaml  no-secrets.yaml  id_rsa.pub
    id_ed25519.pub  id_card.md  id_mapping.yaml  ids.txt  idea.md  environment.yaml  env.md  envoy.yaml  .envrc
    key.md  keys.md  keyboard.conf  monkey.yaml  public.asc  config  config.json  .ssh/config  .ssh/known_hosts
    docker/config.json  kube/readme.md  passwd  etc/passwd  shadow.md  shadowsocks.conf  netrc.md  .gitconfig
    .editorconfig  service.yaml  account.json  settings.xml
    """
)


@pytest.mark.parametrize("path", sorted(HELD))
def test_a_name_that_holds_credentials_is_named(path: str) -> None:
    reason = secret_name(path)
    assert reason is not None
    assert reason.startswith("holds credentials by its name")


@pytest.mark.parametrize("path", sorted(FINE))
def test_an_ordinary_name_is_fine(path: str) -> None:
    assert secret_name(path) is None


@pytest.mark.parametrize("path", ["", "/", ".", "..", "a/", "\\xff", "🔑", "ſecrets", "." * 300])
def test_any_name_can_be_judged(path: str) -> None:
    assert secret_name(path) is None
