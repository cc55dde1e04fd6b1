/** The last active admin over both protocols: never deleted, demoted or deactivated, also by several requests at once. */
import { expect } from 'chai';
import { operator } from '../../src/core/services/rights/caller.js';
import type { ServiceAnswer, TestService } from '../support/service.js';
import { admin, bearer, claimsOf, signIn, signInSettings } from '../support/sign-in.js';
import { onEveryStore } from '../support/stores.js';

interface Admin {
  readonly id: string;
  readonly as: Readonly<Record<string, string>>;
}

async function signInAs(service: TestService): Promise<Admin> {
  const { accessToken } = await signIn(service, admin);
  return { id: String(claimsOf(accessToken)['userId']), as: bearer(accessToken) };
}

const put = (service: TestService, { id, as }: Admin, fields: object, email = admin.email) =>
  service.put(`/api/users/${id}`, { name: 'Root', email, ...fields }, as);

onEveryStore(
  'the last admin',
  (service) => {
    it('is the last also of several demotions, deactivations and deletions at once', async () => {
      const root = await signInAs(service);
      const others = await Promise.all(
        [1, 2, 3, 4, 5].map(async (number) => {
          const email = `other${String(number)}@example.com`;
          const input = { name: 'Other', email, role: 'admin' as const };
          const { id } = await service.services.users.create(operator, input);
          return { id, email };
        }),
      );
      // Requests of the one who stays would be refused after their own demotion.
      const writes = [
        ...others.map(({ id, email }, index): Promise<ServiceAnswer> => {
          const fields = index % 2 === 0 ? { role: 'user' } : { status: 'inactive' };
          return index === 4
            ? service.delete(`/api/users/${id}`, root.as)
            : put(service, { ...root, id }, fields, email);
        }),
        put(service, root, { role: 'user' }),
      ];
      const statuses = (await Promise.all(writes)).map(({ status }) => status);
      const { data } = (await service.get('/api/users?role=admin&status=active')).body as {
        data: readonly unknown[];
      };
      expect(data.length, statuses.join()).to.be.at.least(1);
    });
  },
  () => signInSettings,
);
