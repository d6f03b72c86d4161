import { ConfigError, upstreamWarnings } from '../lib/config.ts';
import { addSecurityChecks, createApp } from '../lib/stack.ts';

try {
  const { app, config } = createApp();
  for (const warning of upstreamWarnings(config)) console.warn(warning);
  await addSecurityChecks(app);
  app.synth();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
