/** The records that a new instance starts with. */

import type { Customer, Invoice, Movement, Note, Payment, Product, StockItem, User } from './types.js';

export const users: User[] = [
  { id: 1, name: 'Ada Berg', email: 'ada@lantern.example', role: 'admin', phone: '+49 30 5550101' },
  { id: 2, name: 'Sven Okafor', email: 'sven@lantern.example', role: 'staff' },
  { id: 3, name: 'Vera Lind', email: 'vera@lantern.example', role: 'viewer' },
];

export const passwords: Record<string, string> = {
  'ada@lantern.example': 'correct-horse-1',
  'sven@lantern.example': 'correct-horse-2',
  'vera@lantern.example': 'correct-horse-3',
};

/** Long-lived tokens of integrations, beside those that a sign-in makes. */
export const apiTokens: Record<string, number> = {
  adm_5f0c9e1b7a3d4e21: 1,
  stf_77ab01c2d9e84f30: 2,
  vwr_0d1e2f3a4b5c6d7e: 3,
};

/** Keys of the warehouse's scanners. */
export const scannerKeys: Record<string, string> = { 'scan-9f8e7d6c5b4a3210': 'scanner-north' };

const created = '2025-11-03T08:15:00.000Z';

export const customers: Customer[] = [
  {
    id: 1,
    name: 'Blue Door Studio',
    email: 'office@bluedoor.example',
    phone: '+49 30 5550199',
    status: 'active',
    vatNumber: 'DE811907980',
    address: { street: 'Torstraße 12', zip: '10119', city: 'Berlin', country: 'DE' },
    tags: ['design', 'monthly'],
    createdAt: created,
    updatedAt: created,
    version: 1,
  },
  {
    id: 2,
    name: 'Kranich & Söhne',
    email: 'rechnung@kranich.example',
    status: 'active',
    vatNumber: null,
    address: { street: 'Hafenweg 3', zip: '20457', city: 'Hamburg', country: 'DE' },
    tags: [],
    createdAt: '2025-12-01T10:00:00.000Z',
    updatedAt: '2026-01-15T16:20:00.000Z',
    version: 3,
  },
  {
    id: 3,
    name: 'Old Mill Theatre',
    email: 'box@oldmill.example',
    phone: '+43 1 5550142',
    status: 'blocked',
    vatNumber: null,
    address: { street: 'Mühlgasse 7', zip: '1040', city: 'Wien', country: 'AT' },
    tags: ['events'],
    createdAt: '2026-01-20T12:00:00.000Z',
    updatedAt: '2026-01-20T12:00:00.000Z',
    version: 1,
  },
];

export const notes: Record<number, Note[]> = {
  1: [{ id: 1, text: 'Prefers oak.', author: 'Ada Berg', date: '04.11.2025' }],
};

export const invoices: Invoice[] = [
  {
    id: 'INV-1001',
    customerId: '1',
    status: 'paid',
    currency: 'EUR',
    lines: [{ text: 'Oak chairs on loan, 4 hours', quantity: 4, unitPriceCents: 2500 }],
    totalCents: 10000,
    issuedOn: '2026-01-31',
    dueOn: '2026-02-14',
  },
  {
    id: 'INV-1002',
    customerId: '2',
    status: 'open',
    currency: 'EUR',
    lines: [
      { text: 'Oak chair', quantity: 2, unitPriceCents: 14900, sku: 'CHAIR-01' },
      { text: 'Delivery', quantity: 1, unitPriceCents: 1990 },
    ],
    totalCents: 31790,
    issuedOn: '2026-02-10',
    dueOn: '2026-02-24',
    memo: 'Deliver to the back door',
  },
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
];

export const payments: Payment[] = [
  {
    id: 'pay_0001',
    invoiceId: 'INV-1001',
    amount: 10000,
    method: 'transfer',
    reference: 'SEPA 4417',
    receivedAt: '2026-02-12T00:00:00.000Z',
    refunds: [],
  },
];

export const products: Product[] = [
  {
    sku: 'CHAIR-01',
    name: 'Oak chair',
    price: '149.00',
    category: 'furniture',
    tags: ['oak', 'seating'],
    active: true,
    dimensions: { width: 45, height: 82, depth: 50.5 },
    description: 'A plain chair.',
  },
  { sku: 'MUG-07', name: 'House mug', price: '12.50', category: 'kitchen', tags: [], active: true },
  {
    sku: 'LAMP-02',
    name: 'Desk lamp',
    price: '59.90',
    category: 'lighting',
    tags: ['led'],
    active: false,
    description: null,
  },
];

export const stock: StockItem[] = [
  { sku: 'CHAIR-01', onHand: 14, reserved: 2, location: 'A-3', lastCountedAt: '2026-02-01T07:00:00.000Z' },
  { sku: 'MUG-07', onHand: 120, reserved: 0, location: 'B-1', lastCountedAt: null },
];

export const movements: Movement[] = [
  {
    id: 1,
    sku: 'CHAIR-01',
    delta: 20,
    reason: 'delivery',
    by: 'Sven Okafor',
    at: '2026-01-10T08:00:00.000Z',
  },
  { id: 2, sku: 'CHAIR-01', delta: -6, reason: 'sale', by: 'scanner-north', at: '2026-02-11T15:30:00.000Z' },
];
