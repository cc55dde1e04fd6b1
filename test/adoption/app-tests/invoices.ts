/** Black-box tests of invoices, payments and the provider's webhook. */

import { expect } from 'chai';
import { json, newLines, raw, webhook } from '../requests/request-makers.js';
import { type Api, expectEmpty, expectError, fieldsOf, read, readObject } from './api.js';

export function invoiceTests(api: Api): void {
  it('GET /invoices answers a page as an object', async () => {
    const { data, meta } = readObject(await api(json('GET', '/invoices', 'viewer')), 200);
    expect(data).to.have.length(2);
    expect(meta).to.deep.equal({ page: 1, pages: 2, total: 3 });
    const second = readObject(await api(json('GET', '/invoices?page=2', 'viewer')), 200);
    expect(second['data']).to.deep.equal([
      {
        id: 'INV-1003',
        customerId: '1',
        status: 'draft',
        currency: 'EUR',
        lines: [],
        totalCents: 0,
        issuedOn: null,
        dueOn: null,
      },
    ]);
  });

  it('GET /invoices filters by states and dates', async () => {
    const total = async (query: string): Promise<unknown> =>
      (readObject(await api(json('GET', `/invoices?${query}`, 'viewer')), 200)['meta'] as { total: number })
        .total;
    expect(await total('status=open&status=paid')).to.equal(2);
    expect(await total('status[]=draft')).to.equal(1);
    expect(await total('from=2026-02-01&to=2026-02-28')).to.equal(1);
    expectError(await api(json('GET', '/invoices?from=yesterday', 'viewer')), 400, 'BAD_QUERY');
  });

  it('POST /invoices creates a draft, whose customer is a number there and a text later', async () => {
    const answer = await api(
      json('POST', '/invoices', 'staff', { customerId: 2, lines: newLines, memo: 'Thanks' }),
    );
    const invoice = readObject(answer, 201);
    expect(invoice).to.include({
      id: 'INV-1004',
      customerId: 2,
      status: 'draft',
      totalCents: 13900,
      memo: 'Thanks',
    });
    expect(answer.headers.location).to.equal('/invoices/INV-1004');
    expect(read(await api(json('GET', '/invoices/INV-1004', 'viewer')), 200)).to.deep.equal({
      ...invoice,
      customerId: '2',
    });
    const bad = await api(json('POST', '/invoices', 'staff', { customerId: 77, lines: [{ quantity: 0 }] }));
    expect(fieldsOf(expectError(bad, 422, 'VALIDATION'))).to.deep.equal([
      'lines[0].text',
      'lines[0].quantity',
      'lines[0].unitPriceCents',
      'customerId',
    ]);
    expectError(await api(json('POST', '/invoices', 'viewer', {})), 403, 'FORBIDDEN');
  });

  it('GET /invoices/:id and its PDF', async () => {
    const invoice = readObject(await api(json('GET', '/invoices/INV-1002', 'viewer')), 200);
    expect(invoice).to.include({ customerId: '2', totalCents: 31790, memo: 'Deliver to the back door' });
    const pdf = await api(json('GET', '/invoices/INV-1002/pdf', 'viewer'));
    expect(pdf.status).to.equal(200);
    expect(pdf.headers['content-type']).to.equal('application/pdf');
    expect(pdf.headers['content-disposition']).to.equal('attachment; filename="INV-1002.pdf"');
    expect(pdf.text)
      .to.match(/^%PDF-1\.4/)
      .and.contain('(INV-1002: 317.90 EUR)');
    for (const path of ['/invoices/INV-9', '/invoices/INV-9/pdf']) {
      expectError(await api(json('GET', path, 'viewer')), 404, 'NOT_FOUND');
      expectError(await api(json('GET', path, 'nobody')), 401, 'UNAUTHENTICATED');
    }
  });

  it('PATCH and DELETE /invoices/:id change drafts alone', async () => {
    const changed = await api(
      json('PATCH', '/invoices/INV-1003', 'staff', { lines: newLines, memo: 'By hand' }),
    );
    expect(readObject(changed, 200)).to.include({ totalCents: 13900, memo: 'By hand' });
    const bad = await api(json('PATCH', '/invoices/INV-1003', 'staff', { lines: 'none' }));
    expect(fieldsOf(expectError(bad, 422, 'VALIDATION'))).to.deep.equal(['lines']);
    expectError(await api(json('PATCH', '/invoices/INV-1001', 'staff', {})), 409, 'CONFLICT');
    expectError(await api(json('DELETE', '/invoices/INV-1001', 'staff')), 409, 'CONFLICT');
    expectEmpty(await api(json('DELETE', '/invoices/INV-1003', 'staff')), 204);
    expectError(await api(json('GET', '/invoices/INV-1003', 'viewer')), 404, 'NOT_FOUND');
  });

  it('POST /invoices/:id/send accepts, and a job follows', async () => {
    expectError(await api(json('POST', '/invoices/INV-1003/send', 'staff')), 409, 'CONFLICT');
    await api(json('PATCH', '/invoices/INV-1003', 'staff', { lines: newLines }));
    const answer = await api(json('POST', '/invoices/INV-1003/send', 'staff'));
    expect(read(answer, 202)).to.deep.equal({ job: 1, status: 'queued' });
    expect(answer.headers.location).to.equal('/jobs/1');
    const invoice = readObject(await api(json('GET', '/invoices/INV-1003', 'viewer')), 200);
    expect(invoice).to.include({ status: 'open', issuedOn: '2026-03-02', dueOn: '2026-03-16' });
    expectError(await api(json('POST', '/invoices/INV-1003/send', 'staff')), 409, 'CONFLICT');
  });

  it('POST /invoices/:id/void is for admins, and not for paid invoices', async () => {
    const answer = await api(json('POST', '/invoices/INV-1002/void', 'admin'));
    expect(read(answer, 200)).to.deep.equal({ id: 'INV-1002', status: 'void' });
    expectError(await api(json('POST', '/invoices/INV-1001/void', 'admin')), 409, 'CONFLICT');
    expectError(await api(json('POST', '/invoices/INV-1002/void', 'staff')), 403, 'FORBIDDEN');
  });
}

export function paymentTests(api: Api): void {
  const payment = { invoiceId: 'INV-1002', amount: 31790, method: 'card' };

  it('GET /payments and GET /payments/:id', async () => {
    expect(read(await api(json('GET', '/payments?invoice=INV-1001', 'staff')), 200)).to.deep.equal({
      payments: [
        {
          id: 'pay_0001',
          invoiceId: 'INV-1001',
          amount: 10000,
          method: 'transfer',
          reference: 'SEPA 4417',
          receivedAt: '2026-02-12T00:00:00.000Z',
          refunded: false,
        },
      ],
    });
    const none = await api(json('GET', '/payments?invoice=INV-1002', 'staff'));
    expect(read(none, 200)).to.deep.equal({ payments: [] });
    expect(readObject(await api(json('GET', '/payments/pay_0001', 'staff')), 200)['refunds']).to.deep.equal(
      [],
    );
    expectError(await api(json('GET', '/payments', 'viewer')), 403, 'FORBIDDEN');
    expectError(await api(json('GET', '/payments/pay_9', 'staff')), 404, 'NOT_FOUND');
  });

  it('POST /payments pays once per key, and closes the invoice', async () => {
    const key = { 'idempotency-key': 'k-1' };
    const first = await api(json('POST', '/payments', 'staff', payment, key));
    expect(readObject(first, 201)).to.include({ id: 'pay_0002', amount: 31790, method: 'card' });
    expect(first.headers.location).to.equal('/payments/pay_0002');
    const second = await api(json('POST', '/payments', 'staff', payment, key));
    expect(second.status).to.equal(200);
    expect(second.text).to.equal(first.text);
    expect(second.headers['idempotent-replay']).to.equal('true');
    expect(readObject(await api(json('GET', '/invoices/INV-1002', 'viewer')), 200)['status']).to.equal(
      'paid',
    );
    expectError(await api(json('POST', '/payments', 'staff', payment)), 409, 'CONFLICT');
  });

  it('POST /payments reads forms', async () => {
    const form = 'invoiceId=INV-1002&amount=500&method=cash&reference=Till+2';
    const answer = await api(raw('POST', '/payments', 'staff', 'application/x-www-form-urlencoded', form));
    expect(readObject(answer, 201)).to.include({ amount: 500, method: 'cash', reference: 'Till 2' });
    const bad = await api(json('POST', '/payments', 'staff', { amount: 0.5, method: 'shells' }));
    expect(fieldsOf(expectError(bad, 422, 'VALIDATION'))).to.deep.equal(['invoiceId', 'amount', 'method']);
    const unknown = await api(json('POST', '/payments', 'staff', { ...payment, invoiceId: 'INV-9' }));
    expectError(unknown, 422, 'UNKNOWN_INVOICE');
  });

  it('POST /payments/:id/refunds refunds at most what was paid', async () => {
    const part = { amount: 6000, reason: 'An hour less' };
    const answer = await api(json('POST', '/payments/pay_0001/refunds', 'admin', part));
    expect(readObject(answer, 201)['refunds']).to.deep.equal([
      { id: 'pay_0001-r1', ...part, createdAt: '2026-03-02T09:30:00.000Z' },
    ]);
    expectError(await api(json('POST', '/payments/pay_0001/refunds', 'admin', part)), 409, 'CONFLICT');
    const bad = await api(json('POST', '/payments/pay_0001/refunds', 'admin', { amount: 10001 }));
    expect(fieldsOf(expectError(bad, 422, 'VALIDATION'))).to.deep.equal(['amount', 'reason']);
    expectError(await api(json('POST', '/payments/pay_0001/refunds', 'staff', part)), 403, 'FORBIDDEN');
  });

  it('POST /webhooks/payments checks the signature over the bytes', async () => {
    const paid = { type: 'payment.succeeded', data: { invoice: 'INV-1002', amount: 31790 } };
    expectError(await api(webhook(paid, 'another secret')), 401, 'BAD_SIGNATURE');
    expectError(await api(json('POST', '/webhooks/payments', 'nobody', paid)), 401, 'BAD_SIGNATURE');
    expectEmpty(await api(webhook(`  ${JSON.stringify(paid)}\n`)), 204);
    expect(readObject(await api(json('GET', '/payments/pay_0002', 'staff')), 200)).to.include({
      method: 'card',
    });
    expect(read(await api(webhook({ type: 'payment.failed' })), 202)).to.deep.equal({
      ignored: 'payment.failed',
    });
    expect(read(await api(webhook({})), 202)).to.deep.equal({ ignored: null });
    expectError(await api(webhook('not JSON')), 400, 'BAD_REQUEST');
    expectError(await api(webhook({ type: 'payment.succeeded' })), 422, 'UNKNOWN_INVOICE');
  });
}
