/** What the application keeps, and what its middleware adds to Koa's context. */

import type { RouterContext } from '@koa/router';
import type { Logger } from 'pino';

export type Role = 'admin' | 'staff' | 'viewer';

export interface User {
  id: number;
  name: string;
  email: string;
  role: Role;
  phone?: string;
}

export interface AppState {
  user?: User;
  requestId: string;
}

export interface AppContext {
  log: Logger;
}

export type Ctx = RouterContext<AppState, AppContext>;

export interface Address {
  street: string;
  zip: string;
  city: string;
  country: string;
}

export interface Customer {
  id: number;
  name: string;
  email: string;
  phone?: string;
  status: 'active' | 'blocked';
  vatNumber: string | null;
  address: Address;
  tags: string[];
  createdAt: string;
  updatedAt: string;
  version: number;
}

export interface Note {
  id: number;
  text: string;
  author: string;
  /** Day first, as the old desktop client shows it. */
  date: string;
}

export interface InvoiceLine {
  text: string;
  quantity: number;
  unitPriceCents: number;
  sku?: string;
}

export interface Invoice {
  id: string;
  /** A string here, because the accounting import wrote it so. */
  customerId: string;
  status: 'draft' | 'open' | 'paid' | 'void';
  currency: string;
  lines: InvoiceLine[];
  totalCents: number;
  issuedOn: string | null;
  dueOn: string | null;
  memo?: string;
}

export interface Refund {
  id: string;
  amount: number;
  reason: string;
  createdAt: string;
}

export interface Payment {
  id: string;
  invoiceId: string;
  amount: number;
  method: 'card' | 'transfer' | 'cash';
  reference?: string;
  receivedAt: string;
  refunds: Refund[];
}

export interface Product {
  sku: string;
  name: string;
  price: string;
  category: string;
  tags: string[];
  active: boolean;
  dimensions?: { width: number; height: number; depth: number };
  description?: string | null;
}

export interface StockItem {
  sku: string;
  onHand: number;
  reserved: number;
  location: string;
  lastCountedAt: string | null;
}

export interface Movement {
  id: number;
  sku: string;
  delta: number;
  reason: string;
  by: string;
  at: string;
}

export interface StoredFile {
  id: string;
  name: string;
  type: string;
  size: number;
  label: string | null;
  content: Buffer;
}

export interface Job {
  id: number;
  kind: string;
  status: 'queued' | 'running' | 'done';
  resultUrl?: string;
}
