/** Traffic of an ordinary day: every route of the application, on good and bad paths. It is sent in this order to one instance. */

import type { HttpRequest } from '../../support/send.js';
import { billingDay } from './billing.js';
import { houseDay } from './house.js';

/** One request of the day, with the route that serves it. */
export interface DayRequest extends HttpRequest {
  /** Such as `GET /customers/:id`. */
  readonly route: string;
}

export const requests: readonly DayRequest[] = [...billingDay, ...houseDay].flatMap(([route, ...sent]) =>
  sent.map((request) => ({ ...request, route })),
);
