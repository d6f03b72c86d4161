import { type App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Not part of `lib/app.ts`: the rules load the constructs of all AWS services, which takes longer than the synthesis. */
export const addSecurityChecks = (app: App): void => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
};
