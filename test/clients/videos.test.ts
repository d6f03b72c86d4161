import { after, before } from 'node:test';
import { type Service, startService } from '../support/service.ts';
import { curlFacts } from './curl-facts.ts';
import { openaiFacts } from './openai-facts.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

// One service for all clients, so that the same video is rendered once.
openaiFacts(() => service);
curlFacts(() => service);
