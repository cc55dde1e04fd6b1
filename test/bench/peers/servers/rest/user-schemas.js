/** The contract's schemas of users, for the peers that take JSON Schema by route. */

const text = (maxLength) => ({
  type: 'string',
  minLength: 1,
  maxLength,
  pattern: '^[^\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F]*$',
});
const id = { type: 'string', pattern: '^[0-9]+$', maxLength: 18 };
const email = { type: 'string', format: 'email', maxLength: 254 };
const role = { type: 'string', enum: ['user', 'admin'] };
const status = { type: 'string', enum: ['active', 'inactive'] };

export const userInput = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'email'],
  properties: {
    name: text(200),
    email,
    password: { type: 'string', minLength: 8, maxLength: 128 },
    phone: text(50),
    city: text(100),
    role,
    status,
  },
};

export const user = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'name', 'email', 'role', 'status', 'createdAt', 'updatedAt'],
  properties: {
    id,
    name: { type: 'string' },
    email: { type: 'string' },
    role,
    status,
    // A format would make the serializer look for dates.
    createdAt: { type: 'string' },
    updatedAt: { type: 'string' },
    phone: { type: 'string' },
    city: { type: 'string' },
    links: { type: 'object', properties: { orders: { type: 'string' } } },
  },
};

const integer = { type: 'integer' };
const boolean = { type: 'boolean' };

export const userPage = {
  type: 'object',
  required: ['data', 'pagination'],
  properties: {
    data: { type: 'array', items: user },
    pagination: {
      type: 'object',
      required: ['page', 'limit', 'total', 'totalPages', 'hasNext', 'hasPrev'],
      properties: {
        page: integer,
        limit: integer,
        total: integer,
        totalPages: integer,
        hasNext: boolean,
        hasPrev: boolean,
      },
    },
  },
};

export const userParams = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' } },
};

const embed = { type: 'string', enum: ['orders'] };
const version = { type: 'string', enum: ['1', '2'] };

export const userQuery = { type: 'object', properties: { embed } };
export const userHeaders = { type: 'object', properties: { 'if-none-match': { type: 'string' } } };

/** Page and limit are lenient, so that their values are not checked. */
export const listQuery = {
  type: 'object',
  properties: {
    role: { type: 'string' },
    status: { type: 'string' },
    city: { type: 'string' },
    page: { type: 'string' },
    limit: { type: 'string' },
    cursor: { type: 'string', pattern: '^[0-9]*$', maxLength: 18 },
    envelope: { type: 'string', enum: ['true', 'false'] },
    embed,
    version,
  },
};
export const listHeaders = { type: 'object', properties: { 'x-api-version': version } };
export const createHeaders = {
  type: 'object',
  properties: { 'idempotency-key': { type: 'string', minLength: 1, maxLength: 255 } },
};
