/** Black-box tests of files, reports, exports and jobs. */

import { expect } from 'chai';
import { json, raw, upload } from '../requests/request-makers.js';
import { type Api, expectEmpty, expectError, read, readObject } from './api.js';

export function fileTests(api: Api): void {
  it('POST /files keeps an upload, which GET /files/:id downloads', async () => {
    const answer = await api(
      upload('staff', 'plan.txt', 'text/plain', 'Ground floor: 4 tables.', 'Floor plan'),
    );
    expect(read(answer, 201)).to.deep.equal({
      id: 'file-0001',
      name: 'plan.txt',
      type: 'text/plain',
      size: 23,
      label: 'Floor plan',
      url: '/files/file-0001',
    });
    expect(answer.headers.location).to.equal('/files/file-0001');
    const file = await api(json('GET', '/files/file-0001', 'viewer'));
    expect(file.status).to.equal(200);
    expect(file.text).to.equal('Ground floor: 4 tables.');
    expect(file.headers).to.include({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="plan.txt"',
      'content-length': '23',
    });
    expectError(await api(json('GET', '/files/file-0001', 'nobody')), 401, 'UNAUTHENTICATED');
  });

  it('POST /files needs a part named file, and takes none above a megabyte', async () => {
    const bare = await api(upload('staff', 'a.bin', 'application/octet-stream', 'x'));
    expect(readObject(bare, 201)['label']).to.equal(null);
    expectError(await api(json('POST', '/files', 'staff', { file: 'plan.txt' })), 400, 'NO_FILE');
    const large = await api(upload('staff', 'a.bin', 'application/octet-stream', 'x'.repeat(1_048_577)));
    expectError(large, 413, 'TOO_LARGE');
    const broken = await api(raw('POST', '/files', 'staff', 'multipart/form-data', 'x'));
    expectError(broken, 400, 'BAD_REQUEST');
  });

  it('DELETE /files/:id', async () => {
    await api(upload('staff', 'a.txt', 'text/plain', 'x'));
    expectEmpty(await api(json('DELETE', '/files/file-0001', 'staff')), 204);
    expectError(await api(json('DELETE', '/files/file-0001', 'staff')), 404, 'NOT_FOUND');
    expectError(await api(json('GET', '/files/file-0001', 'viewer')), 404, 'NOT_FOUND');
  });
}

export function reportTests(api: Api): void {
  it('GET /reports/revenue is CSV, or JSON on request', async () => {
    const csv = await api(json('GET', '/reports/revenue', 'staff'));
    expect(csv.status).to.equal(200);
    expect(csv.headers['content-type']).to.equal('text/csv; charset=utf-8');
    expect(csv.headers['content-disposition']).to.equal('attachment; filename="revenue.csv"');
    expect(csv.text).to.equal('month,invoices,total\r\n2026-01,1,100.00\r\n2026-02,1,317.90\r\n');
    const rows = await api(
      json('GET', '/reports/revenue?from=2026-02-01&to=2026-02-28&format=json', 'staff'),
    );
    expect(read(rows, 200)).to.deep.equal({ rows: [{ month: '2026-02', invoices: 1, total: 317.9 }] });
    expectError(await api(json('GET', '/reports/revenue?from=feb', 'staff')), 400, 'BAD_QUERY');
    expectError(await api(json('GET', '/reports/revenue', 'viewer')), 403, 'FORBIDDEN');
  });

  it('GET /reports/occupancy.csv', async () => {
    const csv = await api(json('GET', '/reports/occupancy.csv', 'staff'));
    expect(csv.status).to.equal(200);
    expect(csv.text).to.equal(
      'room,name,bookings,hours\r\nR-101,Atrium,1,3\r\nR-102,Snug,0,0\r\nR-Y1,Yard,0,0\r\n',
    );
    expectError(await api(json('GET', '/reports/occupancy.csv', 'nobody')), 401, 'UNAUTHENTICATED');
  });

  it('POST /exports makes a job, which GET /jobs/:id follows', async () => {
    const answer = await api(json('POST', '/exports', 'staff', { kind: 'customers' }));
    expect(read(answer, 202)).to.deep.equal({ job: 1, status: 'queued' });
    expect(answer.headers).to.include({ location: '/jobs/1', 'retry-after': '1' });
    const job = { id: 1, kind: 'export-customers' };
    const look = async (): Promise<unknown> => read(await api(json('GET', '/jobs/1', 'viewer')), 200);
    expect(await look()).to.deep.equal({ ...job, status: 'running' });
    expect(await look()).to.deep.equal({ ...job, status: 'done', resultUrl: '/exports/customers.ndjson' });
    expectError(await api(json('POST', '/exports', 'staff', { kind: 'rooms' })), 422, 'VALIDATION');
    expectError(await api(json('GET', '/jobs/77', 'viewer')), 404, 'NOT_FOUND');
    expectError(await api(json('GET', '/jobs/last', 'viewer')), 400, 'BAD_ID');
  });

  it('GET /exports/customers.ndjson streams a line per customer', async () => {
    const answer = await api(json('GET', '/exports/customers.ndjson', 'staff'));
    expect(answer.status).to.equal(200);
    expect(answer.headers['content-type']).to.equal('application/x-ndjson');
    expect(answer.headers['transfer-encoding']).to.equal('chunked');
    const lines = answer.text.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).to.deep.equal([1, 2, 3]);
    expectError(await api(json('GET', '/exports/customers.ndjson', 'viewer')), 403, 'FORBIDDEN');
  });
}
