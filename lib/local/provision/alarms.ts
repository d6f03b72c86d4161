import * as z from 'zod';
import type { DeployedAlarms } from '../emulators/messages.ts';
import { LocalCloudError } from '../errors.ts';
import { SUPPORTED_TYPES } from '../template/resource-types.ts';
import type { Stack } from '../template/stack.ts';

const propertiesSchema = z.record(z.string(), z.unknown());
const AND_RULE = /^\(?ALARM\("[^"]+"\)(?: AND ALARM\("[^"]+"\))*\)?$/;

const TYPES = [
  [SUPPORTED_TYPES.alarm, 'MetricAlarm'],
  [SUPPORTED_TYPES.compositeAlarm, 'CompositeAlarm'],
] as const;

/** The alarms of the template with the properties that CloudFormation passes to CloudWatch, and their topics. */
export const readAlarms = (stack: Stack): DeployedAlarms => ({
  alarms: TYPES.flatMap(([resourceType, type]) =>
    stack.resources(resourceType).map(({ logicalId, Properties }) => {
      const properties = propertiesSchema.parse(stack.resolve(Properties, logicalId));
      if (type === 'CompositeAlarm' && !AND_RULE.test(String(properties.AlarmRule)))
        throw new LocalCloudError(
          `${logicalId}.AlarmRule: the local cloud supports only alarms joined by AND.`,
        );
      return { name: stack.identity(logicalId).ref, type, properties };
    }),
  ),
  topics: stack.resources(SUPPORTED_TYPES.topic).map(({ logicalId }) => stack.identity(logicalId).ref),
});
