/** The application's own black-box tests, which run unchanged at each stage of the adoption. */

import type { Start, Started } from '../start-legacy-app.js';
import { apiOf } from './api.js';
import { customerTests } from './customers.js';
import { fileTests, reportTests } from './files.js';
import { invoiceTests, paymentTests } from './invoices.js';
import { productTests, searchTests, stockTests } from './products.js';
import { protocolTests } from './protocol.js';
import { bookingTests, roomTests } from './rooms.js';
import { sessionTests } from './session.js';

/** @param start - starts an instance for each test */
export function appTests(start: Start): void {
  let started: Started;
  const url = (): string => started.url;
  const api = apiOf(url);

  beforeEach(async () => {
    started = await start();
  });
  afterEach(() => started.stop());

  describe('sessions', () => sessionTests(api));
  describe('customers', () => customerTests(api));
  describe('invoices', () => invoiceTests(api));
  describe('payments', () => paymentTests(api));
  describe('rooms', () => roomTests(api));
  describe('bookings', () => bookingTests(api));
  describe('products', () => productTests(api, url));
  describe('stock', () => stockTests(api));
  describe('search', () => searchTests(api));
  describe('files', () => fileTests(api));
  describe('reports', () => reportTests(api));
  describe('protocol', () => protocolTests(api));
}
