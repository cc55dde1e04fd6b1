/** The scene of a probe: a caller, and records of the owner that are created on demand. */
import { jwtCodec } from '../../../src/core/identity/jwt.js';
import type { Order, OrderStatus } from '../../../src/core/model/order.js';
import { timestampOf } from '../../../src/core/model/timestamp.js';
import { operator } from '../../../src/core/services/rights/caller.js';
import type { CallerName } from '../../support/expected-rights.js';
import type { TestService } from '../../support/service.js';
import { bearer, secrets, signIn, type Pair } from '../../support/sign-in.js';

const codec = jwtCodec(secrets);

/** The parts that all scenes of a service share. */
export interface Stage {
  readonly service: TestService;
  readonly adminId: string;
  readonly key: string;
  /** A user with a password. */
  readonly account: Pair & { readonly email: string; readonly password: string };
}

export async function openStage(service: TestService): Promise<Stage> {
  const { users, apiKeys } = service.services;
  const admin = await users.create(operator, {
    name: 'Root',
    email: 'stage-root@example.com',
    role: 'admin',
  });
  const { key } = await apiKeys.create(operator, { name: 'Warehouse' });
  const account = { email: 'stage-ada@example.com', password: 'correct horse' };
  await users.create(operator, { name: 'Ada', ...account });
  return { service, adminId: admin.id, key, account: { ...account, ...(await signIn(service, account)) } };
}

export const deadUrl = 'http://127.0.0.1:9/';
let people = 0;
const items = [{ name: 'Twine', unitPrice: 1, quantity: 1 }];

export class Scene {
  readonly stage: Stage;
  readonly caller: CallerName;
  readonly ownerId: string;
  readonly #otherId: string;

  private constructor(stage: Stage, caller: CallerName, ownerId: string, otherId: string) {
    this.stage = stage;
    this.caller = caller;
    this.ownerId = ownerId;
    this.#otherId = otherId;
  }

  /** Creates a scene with a new owner and another user. */
  static async open(stage: Stage, caller: CallerName): Promise<Scene> {
    const { users } = stage.service.services;
    const make = async () => (await users.create(operator, { name: 'Ada', email: newEmail() })).id;
    return new Scene(stage, caller, await make(), await make());
  }

  get service(): TestService {
    return this.stage.service;
  }

  /** Whether the credential does not identify a user. */
  get isNameless(): boolean {
    return this.caller === 'an anonymous caller' || this.caller === 'an API key';
  }

  /** The headers with the caller's credential. */
  get headers(): Readonly<Record<string, string>> {
    switch (this.caller) {
      case 'an anonymous caller':
        return {};
      case 'an API key':
        return { 'x-api-key': this.stage.key };
      case 'an admin':
        return tokenFor(this.stage.adminId);
      case 'the owner':
        return tokenFor(this.ownerId);
      case 'another user':
        return tokenFor(this.#otherId);
    }
  }

  /** A new order of the owner, brought to this state. */
  async order(status: OrderStatus = 'pending'): Promise<Order> {
    const { orders } = this.service.services;
    const { id } = await orders.create(operator, { userId: this.ownerId, items });
    if (status !== 'pending') await orders.changeStatus(operator, id, 'processing');
    if (status === 'completed') await orders.changeStatus(operator, id, 'completed');
    return await orders.get(operator, id);
  }

  /** A comment of the owner on the owner's order. */
  async comment(): Promise<{ readonly id: string; readonly orderId: string }> {
    const { id: orderId } = await this.order();
    const input = { orderId, userId: this.ownerId, text: 'Thank you.' };
    return await this.service.services.comments.create(operator, input);
  }

  /** @returns the id of the owner's new post */
  async post(): Promise<string> {
    const input = { title: 'Looms', content: 'They weave.', authorId: this.ownerId };
    return (await this.service.services.posts.create(operator, input)).id;
  }

  /** @returns the id of a new product */
  async product(): Promise<string> {
    return (
      await this.service.services.products.create(operator, {
        name: 'Loom',
        price: 1,
      })
    ).id;
  }

  /** @returns the id of a new API key */
  async newKey(): Promise<string> {
    return (await this.service.services.apiKeys.create(operator, { name: 'Old' })).apiKey.id;
  }

  /** Nothing listens on its address, and it wants nothing that the probes write. */
  async newWebhook(): Promise<string> {
    const { webhooks } = this.service.services;
    return (await webhooks.create(operator, { url: deadUrl, types: ['product.categorized'] })).webhook.id;
  }
}

export function newEmail(): string {
  people += 1;
  return `person${String(people)}@example.com`;
}

function tokenFor(userId: string): { readonly authorization: string } {
  return bearer(
    codec.signAccess(
      { email: undefined, role: undefined, userId },
      { from: timestampOf(Date.now()), seconds: 60 },
    ),
  );
}
