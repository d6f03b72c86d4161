import { App, Stack } from 'aws-cdk-lib/core';
import { type Config, configFrom, environmentName, readVariables } from './config.ts';

/** Whether `cdk` needs the template and its code; commands such as `bootstrap` and `destroy` do not. */
export const isBuilding = (): boolean => new Stack(new App({ autoSynth: false }), 'Any').bundlingRequired;

/** A stack that can be found and deleted, whatever its other settings are. Its template takes no time to build. */
export const createBareApp = (): App => {
  const app = new App({ analyticsReporting: false, autoSynth: false });
  const variables = readVariables(process.env);
  const config = configFrom((name) =>
    ['stackName', 'account', 'region'].includes(name)
      ? (variables[environmentName(name)] ?? app.node.tryGetContext(name))
      : undefined,
  );
  new Stack(app, config.stackName, { env: stackEnvironment(config) });
  return app;
};

export const stackEnvironment = ({ account, region }: Pick<Config, 'account' | 'region'>) => ({
  ...(account === '' ? {} : { account }),
  ...(region === '' ? {} : { region }),
});
