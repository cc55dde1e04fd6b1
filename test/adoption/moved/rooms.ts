/** Rooms and when they are free. */

import type { Operations } from '../generated/operations.js';
import type { Deps } from '../legacy-app/app.js';
import { conflict, notFound } from '../legacy-app/errors.js';
import type { Room } from '../legacy-app/types.js';
import { Checks, type Fields } from '../legacy-app/validate.js';
import type { Call } from '../part/customers.js';

type Handlers = Pick<
  Operations<Call>,
  'listRooms' | 'createRoom' | 'getRoom' | 'putRoom' | 'deleteRoom' | 'getAvailability'
>;

export function roomHandlers({ store, now }: Deps): Handlers {
  function find(code: string): Room {
    const room = store.rooms.get(code);
    if (room === undefined) throw notFound('Room');
    return room;
  }

  return {
    listRooms({ query: { capacity, equipment = [], 'equipment[]': others = [] } }) {
      const needed = [...equipment, ...others];
      const rooms = [...store.rooms.values()].filter(
        (room) => room.capacity >= capacity && needed.every((each) => room.equipment.includes(each)),
      );
      return { status: 200, headers: { 'Cache-Control': 'public, max-age=60' }, body: rooms };
    },

    createRoom({ body }) {
      const checks = new Checks(body);
      const code = readCode(body['code'], checks);
      const room = { code, ...readRoom(body, checks) };
      checks.done();
      if (store.rooms.has(code)) throw conflict('The code is taken');
      store.rooms.set(code, room);
      return { status: 201, headers: { Location: `/rooms/${code}` }, body: room };
    },

    getRoom: ({ path }) => ({ status: 200, body: find(path.code) }),

    putRoom({ path, body }) {
      const checks = new Checks(body);
      const code = readCode(path.code, checks);
      const room = { code, ...readRoom(body, checks) };
      checks.done();
      const status = store.rooms.has(code) ? 200 : 201;
      store.rooms.set(code, room);
      return { status, body: room };
    },

    deleteRoom({ path }) {
      const { code } = find(path.code);
      if ([...store.bookings.values()].some(({ room, status }) => room === code && status === 'confirmed')) {
        throw conflict('The room is booked');
      }
      store.rooms.delete(code);
      return { status: 204 };
    },

    getAvailability({ path, query: { date = now().toISOString().slice(0, 10) } }) {
      const { code } = find(path.code);
      const taken = [...store.bookings.values()].filter(
        ({ room, status, start }) => room === code && status === 'confirmed' && start.startsWith(date),
      );
      const slots = Array.from({ length: 10 }, (_, index) => {
        const from = `${String(index + 8).padStart(2, '0')}:00`;
        const to = `${String(index + 9).padStart(2, '0')}:00`;
        const free = taken.every(({ start, end }) => end.slice(11, 16) <= from || start.slice(11, 16) >= to);
        return { from, to, free };
      });
      return { status: 200, body: { room: code, date, slots } };
    },
  };
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
