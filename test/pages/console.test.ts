/** What an operator does in the console, in a browser, by clicking, typing and reading, on both databases. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { anonymous } from '../../src/core/services/rights/caller.js';
import type { DatabaseSettings } from '../../src/service/settings/data.js';
import { useBrowser } from '../support/browser.js';
import { Console, requireFreshBuild } from '../support/console.js';
import { sharedPostgres } from '../support/postgres-server.js';
import { useService } from '../support/service.js';
import { admin, bearer, signIn, signInSettings, signUp } from '../support/sign-in.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

let directory = '';
const databases: Readonly<Record<string, () => Promise<DatabaseSettings['database']>>> = {
  SQLite: async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-console-'));
    return { kind: 'sqlite', path: join(directory, 'service.db') };
  },
  PostgreSQL: async () => ({ kind: 'postgres', url: await (await sharedPostgres()).createDatabase() }),
};

for (const [name, make] of Object.entries(databases)) {
  describe(`the console, ${name}`, function () {
    this.timeout(30_000);
    const service = useService(async () => ({
      ...signInSettings,
      database: await make(),
      console: true,
      outbox: true,
      webhookAllow: ['127.0.0.1'],
    }));
    const browser = useBrowser();
    before(requireFreshBuild);
    after(() => rm(directory, { recursive: true, force: true }));
    let receiver: WebhookReceiver;
    before(async () => (receiver = await WebhookReceiver.start()));
    after(() => receiver.stop());
    const open = (address?: string) => Console.open(browser, service.url, address);

    it('shows the state of the service', async () => {
      const { page, complaints } = await open();
      await page.getByRole('main').getByText('ready', { exact: true }).waitFor();
      const text = await page.getByRole('main').innerText();
      expect(text)
        .to.match(/Service\s+\d+\.\d+\.\d+/)
        .and.match(/Contract\s+\d+\.\d+\.\d+/);
      expect(text)
        .to.match(/Waiting\s+0/)
        .and.include('No failures.');
      expect(complaints).to.deep.equal([]);
    });

    it('finds a user, changes role and status, ends sessions, and deletes after the email is typed', async () => {
      const account = await signUp(service);
      const operator = await open('users');
      const { page } = operator;
      await page.getByLabel('Id or email').fill(account.email.toUpperCase());
      await operator.click('Find');
      await page.getByText('1 in all').waitFor();
      expect(page.url()).to.include(`email=${encodeURIComponent(account.email.toUpperCase())}`);
      await operator.row(account.email).getByRole('link').click();
      await operator.heading('Ada Lovelace');
      await operator.click('Make admin');
      await operator.confirm('Make admin');
      await operator.said(`${account.email} has the role admin.`);
      await operator.click('Make user');
      await operator.confirm('Make user');
      await operator.said('has the role user');
      const { accessToken } = await signIn(service, account);
      const as = { authorization: `Bearer ${accessToken}` };
      await operator.click('End sessions');
      await operator.confirm('End sessions');
      await operator.said('sessions of');
      expect((await service.get('/api/profile', as)).status).to.equal(401);
      await operator.click('Deactivate');
      await operator.confirm('Cancel');
      await operator.click('Deactivate');
      await operator.confirm('Deactivate');
      await operator.said('is inactive');
      await operator.click('Activate');
      await operator.said('is active');
      await operator.click('Delete');
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).to.equal(true);
      await dialog.getByRole('textbox').fill('ada');
      expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).to.equal(true);
      await operator.confirm('Delete', account.email);
      await operator.heading('Users');
      await operator.said(`${account.email} is deleted.`);
      expect((await service.get(`/api/users/${account.id}`)).status).to.equal(404);
      expect(operator.complaints).to.deep.equal([]);
    });

    it('refuses to delete the last admin, and says so', async () => {
      const operator = await open('users');
      await operator.row(admin.email).getByRole('link').click();
      await operator.click('Delete');
      await operator.confirm('Delete', admin.email);
      await operator.said('The last admin cannot be deleted');
    });

    it('creates an API key, shows it once, shows its last use, and revokes it', async () => {
      const operator = await open('keys');
      const { page } = operator;
      await page.getByLabel('Name').fill('Warehouse');
      await operator.click('Create a key');
      const key = await page.getByRole('dialog').locator('output').innerText();
      expect((await service.get('/api/keys/current', { 'x-api-key': key })).status).to.equal(200);
      await operator.confirm('I have kept it');
      await operator.said('The key Warehouse is created.');
      expect(await page.content()).not.to.include(key);
      await operator.row('Warehouse').waitFor();
      await operator.click('Revoke', operator.row('Warehouse'));
      await operator.confirm('Revoke');
      await operator.row('revoked').waitFor();
      expect((await service.get('/api/keys/current', { 'x-api-key': key })).status).to.equal(401);
    });

    it('creates a webhook, sees why a delivery failed, and delivers it again', async () => {
      receiver.answer = () => 503;
      const operator = await open('webhooks');
      const { page } = operator;
      await page.getByLabel('Address').fill(receiver.url);
      await page.getByText('Only some events').click();
      await page.getByLabel('user.created').check();
      await operator.click('Create a webhook');
      expect(await page.getByRole('dialog').locator('output').innerText()).to.match(/^whsec_/);
      await operator.confirm('I have kept it');
      await operator.heading(/^Webhook \d+$/);
      expect(await page.getByRole('main').innerText()).to.include('user.created');
      await operator.click('Send a test event');
      await operator.said('did not take the test event: status 503');
      await signUp(service);
      const id = /webhooks\/(\d+)/.exec(page.url())?.[1] ?? '';
      await until('it is tried', () => receiver.attempts.size > 0);
      await until('the failure is stored', async () => {
        await operator.go('Overview');
        return (await operator.row('status 503').count()) > 0;
      });
      expect(await page.getByRole('main').innerText()).to.match(/Waiting\s+1\s+Oldest\s+\d+ second/);
      expect(await page.getByRole('main').innerText()).to.match(/The database\s+up\s+The event broker\s+up/);
      await operator.row('status 503').getByRole('link').click();
      await operator.heading(`Webhook ${id}`);
      await page.getByLabel('Status').selectOption('delivered');
      await operator.click('Find');
      await page.getByText('No deliveries.').waitFor();
      await page.getByLabel('Status').selectOption('');
      await operator.click('Find');
      const failed = operator.row('user.created');
      expect(await failed.innerText())
        .to.include('pending')
        .and.include('status 503');
      receiver.answer = () => 204;
      await operator.click('Redeliver', failed);
      await operator.said('1 event is delivered again.');
      await until('it is delivered', async () => {
        await page.reload();
        await operator.signIn(admin.email, admin.password);
        return (await operator.row('delivered').count()) > 0;
      });
      await operator.click('Send a test event');
      await operator.said('took the test event: status 204');
      await operator.click('Redeliver all that failed or wait');
      await operator.said('0 events are delivered again.');
      await operator.click('Rotate the secret');
      await operator.confirm('Rotate the secret');
      expect(await page.getByRole('dialog').locator('output').innerText()).to.match(/^whsec_/);
      await operator.confirm('I have kept it');
      await operator.click('Disable');
      await operator.confirm('Disable');
      await operator.said('The webhook is disabled.');
      await operator.click('Enable');
      await operator.said('The webhook is active.');
      await operator.click('Delete');
      await operator.confirm('Delete', new URL(receiver.url).host);
      await operator.heading('Webhooks');
      await operator.said('The webhook is deleted.');
      await page.getByText('No webhooks.').waitFor();
      expect(operator.complaints).to.deep.equal([]);
    });

    it('finds and reads orders and posts, which have addresses', async () => {
      const { id } = await signUp(service);
      const items = [{ name: 'Twine', unitPrice: 0.1, quantity: 3 }];
      await service.post('/api/orders', { userId: (await signUp(service)).id, items });
      const order = (await service.post('/api/orders', { userId: id, items })).body as { id: string };
      await service.services.posts.create(anonymous, {
        title: 'A moth in the relay',
        content: 'First actual case\nof a bug.',
        authorId: id,
      });
      const operator = await open('orders');
      const { page } = operator;
      await page.getByLabel('User id').fill(id);
      await operator.click('Find');
      await page.getByText('1 in all').waitFor();
      await page.getByLabel('Order id').fill(order.id);
      await operator.click('Find');
      await operator.heading(`Order ${order.id}`);
      expect(await page.getByRole('main').innerText())
        .to.include('0.30')
        .and.include('Twine');
      await operator.go('Posts');
      await page.getByRole('link', { name: 'A moth in the relay' }).click();
      await operator.heading('A moth in the relay');
      const address = page.url();
      const other = await Console.open(browser, service.url, address.replace(/.*#\//, ''));
      await other.heading('A moth in the relay');
      expect(await other.page.getByRole('main').innerText()).to.include('First actual case\nof a bug.');
      await page
        .getByLabel('Post id')
        .or(page.getByRole('link', { name: 'All posts' }))
        .click();
      await page.getByLabel('Post id').fill('999999');
      await operator.click('Find');
      await page.getByText('Post not found').waitFor();
    });

    it('filters the audit log, and pages it from the newest to the oldest', async () => {
      const account = await signUp(service);
      const as = bearer((await signIn(service, account)).accessToken);
      for (let count = 0; count < 21; count++) await service.get('/api/audit', as);
      const operator = await open('audit');
      const { page } = operator;
      await page.getByLabel('Who').fill(`user:${account.id}`);
      await page.getByLabel('Action').fill('audit.read');
      // The service stores refusals after their answers. The list without filters, shown before, may have older pages too.
      const olderOfFilter = page.locator(`a[href*="user%3A${account.id}"]`, { hasText: 'Older' });
      await until('21 refusals are stored', async () => {
        await operator.click('Find');
        await operator.row('refused').first().waitFor();
        return (await olderOfFilter.count()) > 0;
      });
      expect(await operator.row('refused').count()).to.equal(20);
      await page.getByRole('link', { name: 'Older' }).click();
      await until('the last page is shown', async () => (await operator.row('refused').count()) === 1);
      await page.getByRole('link', { name: 'Newest' }).click();
      await until('the first page is shown', async () => (await operator.row('refused').count()) === 20);
      await page.getByLabel('Since').fill('2999-01-01T00:00');
      await operator.click('Find');
      await page.getByText('No entries.').waitFor();
    });

    it('reads again what is asked for again, by the button and by the menu', async () => {
      const account = await signUp(service);
      const as = bearer((await signIn(service, account)).accessToken);
      const operator = await open('audit');
      await operator.page.getByLabel('Who').fill(`user:${account.id}`);
      await operator.page.getByLabel('Action').fill('audit.read');
      await operator.click('Find');
      await operator.page.getByText('No entries.').waitFor();
      await service.get('/api/audit', as);
      await operator.click('Find');
      await operator.row('refused').first().waitFor();
      await operator.go('Audit log');
      const rows = operator.page.getByRole('main').getByRole('row');
      await until('all entries are shown', async () => (await rows.count()) > 2);
      await service.get('/api/audit', as);
      const newest = operator.page.getByRole('cell', { name: `user:${account.id}` });
      const before = await newest.count();
      await operator.go('Audit log');
      await until('the new entry is shown', async () => (await newest.count()) > before);
    });

    it('pages users, and its addresses can be sent', async () => {
      for (let count = 0; count < 21; count++) await signUp(service);
      const operator = await open('users?role=user&page=2');
      const { page } = operator;
      await page.getByText(/Page 2 of/).waitFor();
      expect(await page.getByLabel('Role').inputValue()).to.equal('user');
      await page.getByRole('link', { name: 'Previous' }).click();
      await page.getByText(/Page 1 of/).waitFor();
      await page.goBack();
      await page.getByText(/Page 2 of/).waitFor();
    });
  });
}
