import { createApp } from '../lib/app.ts';
import { ConfigError } from '../lib/config.ts';
import { addSecurityChecks } from '../lib/security-checks.ts';

try {
  const { app } = createApp();
  addSecurityChecks(app);
  app.synth();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
