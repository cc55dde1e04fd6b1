/** Rooms and when they are free. */

import { Router } from '@koa/router';
import type { Deps } from '../app.js';
import { requireRole } from '../auth.js';
import { AppError, conflict, notFound } from '../errors.js';
import type { AppContext, AppState, Room } from '../types.js';
import { Checks, type Fields, bodyOf, queryDate, queryList, queryNumber } from '../validate.js';

export function roomRoutes({ store, now }: Deps): Router<AppState, AppContext> {
  const router = new Router<AppState, AppContext>({ prefix: '/rooms' });

  function find(code: string | undefined): Room {
    const room = store.rooms.get(code ?? '');
    if (room === undefined) throw notFound('Room');
    return room;
  }

  // Public: the web site shows it.
  router.get('/', (ctx) => {
    const capacity = queryNumber(ctx, 'capacity', 1, 1000);
    const equipment = queryList(ctx, 'equipment');
    ctx.set('Cache-Control', 'public, max-age=60');
    ctx.body = [...store.rooms.values()].filter(
      (room) => room.capacity >= capacity && equipment.every((each) => room.equipment.includes(each)),
    );
  });

  router.post('/', requireRole('admin'), (ctx) => {
    const fields = bodyOf(ctx);
    const checks = new Checks(fields);
    const code = readCode(fields['code'], checks);
    const room = { code, ...readRoom(fields, checks) };
    checks.done();
    if (store.rooms.has(code)) throw conflict('The code is taken');
    store.rooms.set(code, room);
    ctx.status = 201;
    ctx.set('Location', `/rooms/${code}`);
    ctx.body = room;
  });

  router.get('/:code', (ctx) => {
    ctx.body = find(ctx.params['code']);
  });

  // Creates or replaces.
  router.put('/:code', requireRole('admin'), (ctx) => {
    const fields = bodyOf(ctx);
    const checks = new Checks(fields);
    const code = readCode(ctx.params['code'], checks);
    const room = { code, ...readRoom(fields, checks) };
    checks.done();
    ctx.status = store.rooms.has(code) ? 200 : 201;
    store.rooms.set(code, room);
    ctx.body = room;
  });

  router.delete('/:code', requireRole('admin'), (ctx) => {
    const { code } = find(ctx.params['code']);
    if ([...store.bookings.values()].some(({ room, status }) => room === code && status === 'confirmed')) {
      throw conflict('The room is booked');
    }
    store.rooms.delete(code);
    ctx.status = 204;
  });

  router.get('/:code/availability', (ctx) => {
    const { code } = find(ctx.params['code']);
    const date = queryDate(ctx, 'date') ?? now().toISOString().slice(0, 10);
    if (Number.isNaN(Date.parse(date)))
      throw new AppError(400, 'BAD_QUERY', 'date is no day of the calendar');
    const taken = [...store.bookings.values()].filter(
      ({ room, status, start }) => room === code && status === 'confirmed' && start.startsWith(date),
    );
    const slots = [];
    for (let hour = 8; hour < 18; hour += 1) {
      const from = `${String(hour).padStart(2, '0')}:00`;
      const to = `${String(hour + 1).padStart(2, '0')}:00`;
      const free = taken.every(({ start, end }) => end.slice(11, 16) <= from || start.slice(11, 16) >= to);
      slots.push({ from, to, free });
    }
    ctx.body = { room: code, date, slots };
  });

  return router;
}

function readCode(value: unknown, checks: Checks): string {
  if (typeof value === 'string' && /^R-[0-9A-Z]{1,8}$/.test(value)) return value;
  checks.note('code', 'must be a code such as R-101');
  return '';
}

function readRoom(fields: Fields, checks: Checks): Omit<Room, 'code'> {
  return {
    name: checks.text('name', 60),
    capacity: checks.integer('capacity', 1, 1000),
    equipment: checks.texts('equipment'),
    hourlyRate: checks.price('hourlyRate'),
    floor: fields['floor'] === undefined || fields['floor'] === null ? null : checks.integer('floor', -2, 40),
  };
}
