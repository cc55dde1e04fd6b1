/** Black-box tests of rooms and bookings. */

import { expect } from 'chai';
import { booked, cancelled, json, newBooking, newRoom } from '../requests/request-makers.js';
import { type Api, expectEmpty, expectError, fieldsOf, read, readObject } from './api.js';

export function roomTests(api: Api): void {
  it('GET /rooms is public, cached, and filters by capacity and equipment', async () => {
    const answer = await api(json('GET', '/rooms', 'nobody'));
    expect(read(answer, 200)).to.have.length(3);
    expect(answer.headers['cache-control']).to.equal('public, max-age=60');
    for (const query of ['equipment[]=projector&equipment[]=whiteboard', 'equipment=projector&capacity=10']) {
      const rooms = read(await api(json('GET', `/rooms?${query}`, 'nobody')), 200) as { code: string }[];
      expect(rooms.map(({ code }) => code)).to.deep.equal(['R-101']);
    }
    expectError(await api(json('GET', '/rooms?capacity=many', 'nobody')), 400, 'BAD_QUERY');
  });

  it('POST /rooms and GET /rooms/:code', async () => {
    const answer = await api(json('POST', '/rooms', 'admin', newRoom));
    expect(read(answer, 201)).to.deep.equal(newRoom);
    expect(answer.headers.location).to.equal('/rooms/R-201');
    expect(read(await api(json('GET', '/rooms/R-201', 'nobody')), 200)).to.deep.equal(newRoom);
    expectError(await api(json('POST', '/rooms', 'admin', newRoom)), 409, 'CONFLICT');
    const bad = await api(json('POST', '/rooms', 'admin', { code: 'Loft', hourlyRate: 32 }));
    expect(fieldsOf(expectError(bad, 422, 'VALIDATION'))).to.deep.equal([
      'code',
      'name',
      'capacity',
      'hourlyRate',
    ]);
    expectError(await api(json('POST', '/rooms', 'staff', newRoom)), 403, 'FORBIDDEN');
    expectError(await api(json('GET', '/rooms/R-999', 'nobody')), 404, 'NOT_FOUND');
    expect(readObject(await api(json('GET', '/rooms/R-Y1', 'nobody')), 200)['floor']).to.equal(null);
  });

  it('PUT /rooms/:code creates or replaces', async () => {
    const room = { name: 'Den', capacity: 2, hourlyRate: '5.00' };
    const created = readObject(await api(json('PUT', '/rooms/R-202', 'admin', room)), 201);
    expect(created).to.deep.equal({ code: 'R-202', ...room, equipment: [], floor: null });
    const replaced = await api(json('PUT', '/rooms/R-202', 'admin', { ...room, floor: -1 }));
    expect(readObject(replaced, 200)['floor']).to.equal(-1);
    expectError(await api(json('PUT', '/rooms/den', 'admin', room)), 422, 'VALIDATION');
  });

  it('DELETE /rooms/:code, unless it is booked', async () => {
    expectEmpty(await api(json('DELETE', '/rooms/R-102', 'admin')), 204);
    expectError(await api(json('DELETE', '/rooms/R-102', 'admin')), 404, 'NOT_FOUND');
    expectError(await api(json('DELETE', '/rooms/R-101', 'admin')), 409, 'CONFLICT');
  });

  it('GET /rooms/:code/availability has the free hours of a day', async () => {
    const answer = await api(json('GET', '/rooms/R-101/availability?date=2026-03-04', 'nobody'));
    const { room, date, slots } = readObject(answer, 200) as {
      [name: string]: unknown;
      slots: { free: boolean }[];
    };
    expect([room, date]).to.deep.equal(['R-101', '2026-03-04']);
    expect(slots.map(({ free }) => free)).to.deep.equal([
      true,
      false,
      false,
      false,
      ...Array<boolean>(6).fill(true),
    ]);
    expect(slots[0]).to.deep.equal({ from: '08:00', to: '09:00', free: true });
    const today = readObject(await api(json('GET', '/rooms/R-101/availability', 'nobody')), 200);
    expect(today['date']).to.equal('2026-03-02');
    for (const bad of ['today', '2026-13-01']) {
      expectError(
        await api(json('GET', `/rooms/R-101/availability?date=${bad}`, 'nobody')),
        400,
        'BAD_QUERY',
      );
    }
    expectError(await api(json('GET', '/rooms/R-9/availability', 'nobody')), 404, 'NOT_FOUND');
  });
}

export function bookingTests(api: Api): void {
  it('GET /bookings pages by a cursor', async () => {
    await api(json('POST', '/bookings', 'staff', newBooking));
    const first = readObject(await api(json('GET', '/bookings', 'viewer')), 200);
    expect(first['items']).to.have.length(2);
    expect(first['next']).to.equal('5b0f6a34-0000-4000-8000-000000000002');
    const second = readObject(
      await api(json('GET', `/bookings?after=${String(first['next'])}`, 'viewer')),
      200,
    );
    expect(second['items']).to.have.length(1);
    expect(second).not.to.have.property('next');
    const some = readObject(await api(json('GET', '/bookings?room=R-101&room=R-Y1', 'viewer')), 200);
    expect(some['items']).to.have.length(1);
  });

  it('POST /bookings books a free room', async () => {
    const answer = await api(json('POST', '/bookings', 'staff', newBooking));
    const booking = readObject(answer, 201);
    expect(booking).to.deep.equal({
      id: '5b0f6a34-0000-4000-8000-000000000003',
      ...newBooking,
      status: 'confirmed',
      createdAt: 1772443800,
    });
    expect(answer.headers.location).to.equal('/bookings/5b0f6a34-0000-4000-8000-000000000003');
    expect(read(await api(json('GET', String(answer.headers.location), 'viewer')), 200)).to.deep.equal(
      booking,
    );
    const taken = expectError(await api(json('POST', '/bookings', 'staff', newBooking)), 409, 'ROOM_TAKEN');
    expect(taken['details']).to.deep.equal(['by Workshop until 2026-03-06T11:00:00Z']);
  });

  it('POST /bookings has errors of its own, with 400 and texts as details', async () => {
    const bad = await api(json('POST', '/bookings', 'staff', { room: 'R-0', start: 'now', end: 'later' }));
    expect(expectError(bad, 400, 'BAD_BOOKING')['details']).to.deep.equal([
      'room does not exist',
      'customer does not exist',
      'title is missing',
      'start is not an instant in UTC',
      'end is not an instant in UTC',
      'ends before it starts',
    ]);
    const small = { ...newBooking, attendees: 5 };
    expectError(await api(json('POST', '/bookings', 'staff', small)), 409, 'TOO_SMALL');
    expectError(await api(json('POST', '/bookings', 'viewer', newBooking)), 403, 'FORBIDDEN');
  });

  it('GET /bookings/:id and its calendar entry', async () => {
    const booking = readObject(await api(json('GET', cancelled, 'viewer')), 200);
    expect(booking).to.include({
      status: 'cancelled',
      cancelReason: 'The candidate is ill.',
      createdAt: 1772006400,
    });
    const entry = await api(json('GET', `${booked}/calendar.ics`, 'viewer'));
    expect(entry.status).to.equal(200);
    expect(entry.headers['content-type']).to.equal('text/calendar; charset=utf-8');
    expect(entry.text.split('\r\n')).to.include.members(['DTSTART:20260304T090000Z', 'SUMMARY:Pitch day']);
    for (const path of ['/bookings/none', '/bookings/none/calendar.ics']) {
      expectError(await api(json('GET', path, 'viewer')), 404, 'NOT_FOUND');
    }
  });

  it('PATCH /bookings/:id moves a booking to a free time', async () => {
    const moved = await api(json('PATCH', booked, 'staff', { title: 'Pitch', end: '2026-03-04T11:00:00Z' }));
    expect(readObject(moved, 200)).to.include({ title: 'Pitch', attendees: 8, end: '2026-03-04T11:00:00Z' });
    const bad = await api(json('PATCH', booked, 'staff', { end: '2026-03-04T08:00:00Z' }));
    expect(expectError(bad, 400, 'BAD_BOOKING')['details']).to.deep.equal(['ends before it starts']);
    expectError(await api(json('PATCH', cancelled, 'staff', { title: 'Again' })), 409, 'CANCELLED');
    const other = { ...newBooking, room: 'R-101' };
    await api(json('POST', '/bookings', 'staff', other));
    const { start, end } = other;
    expectError(await api(json('PATCH', booked, 'staff', { start, end })), 409, 'ROOM_TAKEN');
  });

  it('POST /bookings/:id/cancel takes a reason, or no body', async () => {
    const answer = await api(json('POST', `${booked}/cancel`, 'staff', { reason: 'Moved' }));
    expect(readObject(answer, 200)).to.include({ status: 'cancelled', cancelReason: 'Moved' });
    expectError(await api(json('POST', `${booked}/cancel`, 'staff')), 409, 'CANCELLED');
    const created = await api(json('POST', '/bookings', 'staff', newBooking));
    const bare = await api(json('POST', `${String(created.headers.location)}/cancel`, 'staff'));
    expect(readObject(bare, 200)).not.to.have.property('cancelReason');
  });
}
