import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type ToolInputs, toolInputs } from './api/tool-inputs.ts';
import type { ToolHandler, ToolName } from './domain/tools.ts';
import { libraryTools } from './library-tools.ts';
import { moneyTools } from './money-tools.ts';
import type { McpEnvironment } from './settings.ts';
import { videoTools } from './video-tools.ts';

/** Loaded with the first image, because the clients of the upstreams are a large part of the code. */
const imageGenerator = (
  client: DynamoDBClient,
  environment: McpEnvironment,
  inputs: ToolInputs,
): ToolHandler => {
  let loading: Promise<ToolHandler> | undefined;
  return async (given, call) => {
    loading ??= import('./image-tools.ts').then(({ imageTools }) => imageTools(client, environment, inputs));
    return (await loading)(given, call);
  };
};

/** What the tools do. Loaded with the first call: a client that connects asks only for the list. */
export const loadTools = (client: DynamoDBClient, environment: McpEnvironment) => {
  const inputs = toolInputs(environment.UPSTREAMS);
  const videos = videoTools(client, environment, inputs);
  const handlers: Readonly<Record<ToolName, ToolHandler>> = {
    ...videos.handlers,
    ...libraryTools(client, environment, inputs),
    ...moneyTools(client, environment, inputs),
    generate_image: imageGenerator(client, environment, inputs),
  };
  return { handlers, tasks: videos.tasks };
};

export type Tools = ReturnType<typeof loadTools>;
