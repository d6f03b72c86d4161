/** The service that test files share, outside of the runner, which follows every promise of its own process. */
import { flushCompileCache } from 'node:module';
import { withDomain } from './assembly.ts';
import { startInThisProcess } from './functions-in-one-process.ts';
import { type ServiceAddress, startService } from './service.ts';

const {
  close,
  cloud: _,
  generator: __,
  ...service
} = await startService({
  changeTemplate: withDomain,
  isSilent: true,
  startChild: startInThisProcess,
});
// Functions such as `logs` stay here.
const address: ServiceAddress = JSON.parse(JSON.stringify(service));
process.send?.(address);
flushCompileCache();
process.once('disconnect', async () => {
  await close();
  process.exit();
});
