/** Bookings of rooms, with checks and errors of their own. */

import type { Operations } from '../generated/operations.js';
import type { Deps } from '../legacy-app/app.js';
import { AppError, notFound } from '../legacy-app/errors.js';
import type { Booking } from '../legacy-app/types.js';
import type { Call } from '../part/customers.js';

type Handlers = Pick<
  Operations<Call>,
  'listBookings' | 'createBooking' | 'getBooking' | 'updateBooking' | 'cancelBooking' | 'getCalendarEntry'
>;

const pageSize = 2;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

export function bookingHandlers({ store, now }: Deps): Handlers {
  function find(id: string): Booking {
    const booking = store.bookings.get(id);
    if (booking === undefined) throw notFound('Booking');
    return booking;
  }

  /** @throws 409 where another confirmed booking takes the room */
  function checkFree({ id, room, start, end }: Booking): void {
    const other = [...store.bookings.values()].find(
      (each) =>
        each.id !== id &&
        each.room === room &&
        each.status === 'confirmed' &&
        each.start < end &&
        each.end > start,
    );
    if (other !== undefined) {
      throw new AppError(409, 'ROOM_TAKEN', 'The room is taken', [`by ${other.title} until ${other.end}`]);
    }
  }

  return {
    listBookings({ query: { room = [], 'room[]': others = [], after } }) {
      const rooms = [...room, ...others];
      const all = [...store.bookings.values()].filter(
        (each) => rooms.length === 0 || rooms.includes(each.room),
      );
      const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
      const items = all.slice(start, start + pageSize);
      const next = start + pageSize < all.length ? items.at(-1)?.id : undefined;
      return { status: 200, body: { items, ...(next !== undefined && { next }) } };
    },

    createBooking({ body: { room = '', customer = 0, title = '', start = '', end = '', attendees = 1 } }) {
      const problems: string[] = [];
      if (!store.rooms.has(room)) problems.push('room does not exist');
      if (!store.customers.has(customer)) problems.push('customer does not exist');
      if (title === '') problems.push('title is missing');
      if (!instant.test(start)) problems.push('start is not an instant in UTC');
      if (!instant.test(end)) problems.push('end is not an instant in UTC');
      if (start !== '' && end !== '' && start >= end) problems.push('ends before it starts');
      if (attendees < 1) problems.push('attendees is not a number');
      if (problems.length > 0) throw new AppError(400, 'BAD_BOOKING', 'The booking is not valid', problems);
      const booking: Booking = {
        id: `5b0f6a34-0000-4000-8000-${String(store.next('booking')).padStart(12, '0')}`,
        room,
        customer,
        title,
        start,
        end,
        attendees,
        status: 'confirmed',
        createdAt: Math.floor(now().getTime() / 1000),
      };
      checkFree(booking);
      if (attendees > (store.rooms.get(room)?.capacity ?? 0)) {
        throw new AppError(409, 'TOO_SMALL', 'The room is too small');
      }
      store.bookings.set(booking.id, booking);
      return { status: 201, headers: { Location: `/bookings/${booking.id}` }, body: booking };
    },

    getBooking: ({ path }) => ({ status: 200, body: find(path.id) }),

    updateBooking({ path, body: { title = '', attendees, start = '', end = '' } }) {
      const booking = find(path.id);
      if (booking.status === 'cancelled') throw new AppError(409, 'CANCELLED', 'The booking is cancelled');
      const changed = { ...booking };
      if (title !== '') changed.title = title;
      if (attendees !== undefined) changed.attendees = attendees;
      if (instant.test(start)) changed.start = start;
      if (instant.test(end)) changed.end = end;
      if (changed.start >= changed.end) {
        throw new AppError(400, 'BAD_BOOKING', 'The booking is not valid', ['ends before it starts']);
      }
      checkFree(changed);
      store.bookings.set(changed.id, changed);
      return { status: 200, body: changed };
    },

    cancelBooking({ path, body }) {
      const booking = find(path.id);
      if (booking.status === 'cancelled') throw new AppError(409, 'CANCELLED', 'The booking is cancelled');
      booking.status = 'cancelled';
      if (body?.reason !== undefined) booking.cancelReason = body.reason;
      return { status: 200, body: booking };
    },

    getCalendarEntry({ path }) {
      const { id, title, start, end } = find(path.id);
      const compact = (text: string): string => text.replace(/[-:]/g, '');
      const lines = [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Lantern House//EN',
        'BEGIN:VEVENT',
        `UID:${id}`,
        `DTSTART:${compact(start)}`,
        `DTEND:${compact(end)}`,
        `SUMMARY:${title}`,
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ];
      return { status: 200, body: lines.join('\r\n') };
    },
  };
}
