/** Events adapters that break a rule. */
import { ServiceError } from '../../../../src/core/model/error.js';
import { memoryEvents } from '../../../../src/core/events/memory.js';
import type { EventListener, Events } from '../../../../src/core/ports/events.js';
import type { PortFaults } from './fault.js';

function broken(breakIt: (sound: Events) => Partial<Events>): () => Events {
  return () => {
    const sound = memoryEvents();
    const bound: Events = {
      publish: (topic, id) => sound.publish(topic, id),
      subscribe: (topic, listener) => sound.subscribe(topic, listener),
      ping: () => sound.ping(),
      close: () => sound.close(),
    };
    return { ...bound, ...breakIt(bound) };
  };
}

/** Listeners that are kept by the fault itself, told in its way. */
function telling(tell: (listeners: EventListener[], id: string) => void): () => Events {
  return broken(({ publish }) => {
    const listeners: EventListener[] = [];
    return {
      publish: async (topic, id) => {
        await publish(topic, id);
        tell(listeners, id);
      },
      subscribe: (_topic, listener) => {
        listeners.push(listener);
        return Promise.resolve(() => {
          const index = listeners.indexOf(listener);
          if (index >= 0) listeners.splice(index, 1);
        });
      },
    };
  });
}

export const eventsFaults: PortFaults<Events> = {
  'ping asks a broker that is not there': [
    'events-ping',
    broken(() => ({ ping: () => Promise.reject(new ServiceError('unavailable', 'down')) })),
  ],
  'ping answers after close': ['events-closed', broken(() => ({ ping: () => Promise.resolve() }))],
  'closing twice is an error': [
    'events-close-twice',
    broken(({ close }) => {
      let isClosed = false;
      return {
        close: () => {
          if (isClosed) return Promise.reject(new Error('closed'));
          isClosed = true;
          return close();
        },
      };
    }),
  ],
  'close tells the listeners once more': [
    'events-close-silences',
    broken(({ subscribe, close }) => {
      const listeners: EventListener[] = [];
      return {
        subscribe: (topic, listener) => {
          listeners.push(listener);
          return subscribe(topic, listener);
        },
        close: () => {
          for (const listener of listeners) listener.received('closed');
          return close();
        },
      };
    }),
  ],
  'an event needs a listener': [
    'events-nobody',
    broken(({ publish, subscribe }) => {
      let count = 0;
      return {
        publish: (topic, id) => (count > 0 ? publish(topic, id) : Promise.reject(new Error('no route'))),
        subscribe: (topic, listener) => {
          count += 1;
          return subscribe(topic, listener);
        },
      };
    }),
  ],
  'the last event is told again to a new listener': [
    'events-from-now-on',
    broken(({ publish, subscribe }) => {
      let last: string | undefined;
      return {
        publish: (topic, id) => publish(topic, (last = id)),
        subscribe: (topic, listener) => {
          if (last !== undefined) listener.received(last);
          return subscribe(topic, listener);
        },
      };
    }),
  ],
  'events overtake each other': [
    'events-order',
    broken(({ publish }) => ({
      publish: async (topic, id) => {
        if (Number(id) % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
        await publish(topic, id);
      },
    })),
  ],
  'an id is told once': [
    'events-repeated',
    broken(({ publish }) => {
      const told = new Set<string>();
      return {
        publish: (topic, id) => {
          if (told.has(id)) return Promise.resolve();
          told.add(id);
          return publish(topic, id);
        },
      };
    }),
  ],
  'one listener of many is told': [
    'events-fan-out',
    telling((listeners, id) => listeners[Number(id) % listeners.length]?.received(id)),
  ],
  'nobody can leave': [
    'events-unsubscribe',
    broken(({ subscribe }) => ({
      subscribe: async (topic, listener) => {
        await subscribe(topic, listener);
        return () => undefined;
      },
    })),
  ],
  'a listener is subscribed once however often it asks': [
    'events-same-listener',
    broken(({ subscribe }) => {
      const known = new Map<EventListener, Promise<() => void>>();
      return {
        subscribe: (topic, listener) => {
          const subscription = known.get(listener) ?? subscribe(topic, listener);
          known.set(listener, subscription);
          return subscription;
        },
      };
    }),
  ],
  'who leaves while told takes the place of the next': [
    'events-leave-while-told',
    telling((listeners, id) => {
      for (let index = 0; index < listeners.length; index += 1) listeners[index]?.received(id);
    }),
  ],
};
