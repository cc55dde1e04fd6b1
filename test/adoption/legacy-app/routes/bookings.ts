/** Bookings of rooms. The oldest part of the application: it has checks and errors of its own. */

import { Router } from '@koa/router';
import type { Deps } from '../app.js';
import { requireRole } from '../auth.js';
import { AppError, notFound } from '../errors.js';
import type { AppContext, AppState, Booking } from '../types.js';
import { bodyOf, queryList, queryText } from '../validate.js';

const pageSize = 2;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

export function bookingRoutes({ store, now }: Deps): Router<AppState, AppContext> {
  const router = new Router<AppState, AppContext>({ prefix: '/bookings' });

  function find(id: string | undefined): Booking {
    const booking = store.bookings.get(id ?? '');
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

  // The next page is named by a cursor, the third kind of paging.
  router.get('/', requireRole(), (ctx) => {
    const rooms = queryList(ctx, 'room');
    const after = queryText(ctx, 'after');
    const all = [...store.bookings.values()].filter(({ room }) => rooms.length === 0 || rooms.includes(room));
    const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const items = all.slice(start, start + pageSize);
    const next = start + pageSize < all.length ? items.at(-1)?.id : undefined;
    ctx.body = { items, next };
  });

  router.post('/', requireRole('staff'), (ctx) => {
    const { room, customer, title, start, end, attendees = 1 } = bodyOf(ctx) as Partial<Booking>;
    const problems: string[] = [];
    if (typeof room !== 'string' || !store.rooms.has(room)) problems.push('room does not exist');
    if (typeof customer !== 'number' || !store.customers.has(customer))
      problems.push('customer does not exist');
    if (typeof title !== 'string' || title === '') problems.push('title is missing');
    if (typeof start !== 'string' || !instant.test(start)) problems.push('start is not an instant in UTC');
    if (typeof end !== 'string' || !instant.test(end)) problems.push('end is not an instant in UTC');
    if (typeof start === 'string' && typeof end === 'string' && start >= end)
      problems.push('ends before it starts');
    if (!Number.isInteger(attendees) || attendees < 1) problems.push('attendees is not a number');
    if (problems.length > 0) throw new AppError(400, 'BAD_BOOKING', 'The booking is not valid', problems);
    const booking = {
      id: `5b0f6a34-0000-4000-8000-${String(store.next('booking')).padStart(12, '0')}`,
      room,
      customer,
      title,
      start,
      end,
      attendees,
      status: 'confirmed',
      createdAt: Math.floor(now().getTime() / 1000),
    } as Booking;
    checkFree(booking);
    if (attendees > (store.rooms.get(booking.room)?.capacity ?? 0)) {
      throw new AppError(409, 'TOO_SMALL', 'The room is too small');
    }
    store.bookings.set(booking.id, booking);
    ctx.status = 201;
    ctx.set('Location', `/bookings/${booking.id}`);
    ctx.body = booking;
  });

  router.get('/:id', requireRole(), (ctx) => {
    ctx.body = find(ctx.params['id']);
  });

  router.patch('/:id', requireRole('staff'), (ctx) => {
    const booking = find(ctx.params['id']);
    const { title, attendees, start, end } = bodyOf(ctx) as Partial<Booking>;
    if (booking.status === 'cancelled') throw new AppError(409, 'CANCELLED', 'The booking is cancelled');
    const changed = { ...booking };
    if (typeof title === 'string' && title !== '') changed.title = title;
    if (typeof attendees === 'number') changed.attendees = attendees;
    if (typeof start === 'string' && instant.test(start)) changed.start = start;
    if (typeof end === 'string' && instant.test(end)) changed.end = end;
    if (changed.start >= changed.end) {
      throw new AppError(400, 'BAD_BOOKING', 'The booking is not valid', ['ends before it starts']);
    }
    checkFree(changed);
    store.bookings.set(changed.id, changed);
    ctx.body = changed;
  });

  router.post('/:id/cancel', requireRole('staff'), (ctx) => {
    const booking = find(ctx.params['id']);
    if (booking.status === 'cancelled') throw new AppError(409, 'CANCELLED', 'The booking is cancelled');
    const body: unknown = ctx.request.body;
    const reason = typeof body === 'object' && body !== null && 'reason' in body ? body.reason : undefined;
    booking.status = 'cancelled';
    if (typeof reason === 'string') booking.cancelReason = reason;
    ctx.body = booking;
  });

  router.get('/:id/calendar.ics', requireRole(), (ctx) => {
    const { id, title, start, end } = find(ctx.params['id']);
    const compact = (text: string): string => text.replace(/[-:]/g, '');
    ctx.type = 'text/calendar';
    ctx.body = [
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
    ].join('\r\n');
  });

  return router;
}
