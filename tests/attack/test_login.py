"""A campus behind its login: nobody trains without an account, and runs belong to accounts, in every browser."""

import asyncio

import pytest
from playwright.sync_api import expect

from tests.attack.provider import Provider
from tests.browser.helpers import run_of, train_to_the_end
from tests.chromium import running
from tests.load.browser import Browser
from tests.load.server import Server
from tsk_core.runs.store import RunStore

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def provider():
    """Whom the app asks who somebody is."""
    with Provider() as provider:
        yield provider


@pytest.fixture(scope="module")
def server(tmp_path_factory, provider):
    """The app behind the provider's login."""
    folder = tmp_path_factory.mktemp("login")
    secrets = folder / "secrets.toml"
    server = Server(folder, TSK_WORKERS="1", STREAMLIT_SECRETS_FILES=str(secrets))
    secrets.write_text(provider.secrets(server.address))
    with server:
        yield server


def log_in(browser, address, *cookies):
    """A page of a new browser, logged in as the provider's person."""
    context = browser.new_context(base_url=address)
    context.add_cookies([{"name": name, "value": value, "url": address} for name, value in cookies])
    page = context.new_page()
    page.goto("/?epochs=3")
    expect(page.get_by_text("Log in with your account")).to_be_visible()
    expect(page.get_by_role("button", name="Train", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Log in").click()
    return page


def owner_of_a_run(page, store):
    """The owner of a run that is trained on this page."""
    train_to_the_end(page)
    return store.record(run_of(page)).owner


def test_runs_belong_to_accounts(provider, server):
    with running() as browser:
        first = log_in(browser, server.address)
        store = RunStore(server.runs)
        ann = owner_of_a_run(first, store)
        assert ann.startswith("account-")
        assert owner_of_a_run(log_in(browser, server.address), store) == ann  # another browser of hers
        provider.person = "ben"
        ben = owner_of_a_run(log_in(browser, server.address, ("tsk_owner", ann)), store)
        assert ben.startswith("account-") and ben != ann  # whatever his cookie says
        other = first.context.new_page()  # another tab of hers
        other.goto("/?epochs=3")
        expect(other.get_by_role("button", name="Train", exact=True)).to_be_enabled()
        first.get_by_role("button", name="Log out").click()
        expect(first.get_by_text("Log in with your account")).to_be_visible()
        runs = len(store.ledger.records())
        other.get_by_role("button", name="Train", exact=True).click()
        expect(other.get_by_text("Log in with your account")).to_be_visible()
        assert len(store.ledger.records()) == runs
    assert "The page failed" not in server.log.read_text()


def test_nobody_sends_files_without_an_account(server):
    async def upload():
        async with Browser(server.address) as tab:
            await tab.open()
            return await tab.put(bytes(1_000))

    assert asyncio.run(upload())[1] == 403
