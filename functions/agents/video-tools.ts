import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoReservations } from '../billing/adapters/dynamo-reservations.ts';
import { chargeFor } from '../billing/domain/charges.ts';
import { imageFieldIn } from '../catalogue/api/image.ts';
import { logger } from '../identity/authentication/endpoint.ts';
import { dynamoSlowSteps } from '../platform/aws/dynamo-slow-steps.ts';
import { s3Client } from '../platform/aws/s3-client.ts';
import { parseBody } from '../platform/body/parse.ts';
import { slotShares } from '../platform/domain/fair-share.ts';
import { derivedTaskId } from '../platform/domain/ids.ts';
import { dynamoTaskPages } from '../videos/adapters/dynamo-task-lists.ts';
import { dynamoTasks } from '../videos/adapters/dynamo-tasks.ts';
import { s3Links } from '../videos/adapters/s3-media.ts';
import { readListQuery, readTaskFilter } from '../videos/api/video-list.ts';
import { pollSeconds } from '../videos/api/video-object.ts';
import { isDeleted, isTerminal, type Task } from '../videos/domain/task.ts';
import { cancelVideo } from '../videos/usecases/cancel-video.ts';
import { createTask } from '../videos/usecases/create-task.ts';
import { findOwned, linkVideo, listVideos } from '../videos/usecases/read-videos.ts';
import { creationDependencies } from '../videos/video-creation.ts';
import { sqsWebhooks } from '../webhooks/adapters/sqs-webhooks.ts';
import type { Arguments, ToolInputs } from './api/tool-inputs.ts';
import { describeVideo, listedVideo, videoContent } from './api/video-result.ts';
import {
  requirePrice,
  type ToolCall,
  type ToolHandler,
  type ToolName,
  type ToolResult,
  toQuery,
} from './domain/tools.ts';
import type { McpEnvironment } from './settings.ts';
import { fieldNames, videoRequestReader } from './tool-arguments.ts';
import { keyForCall } from './usecases/repeated-calls.ts';
import { type Waiting, waitUntil } from './usecases/wait.ts';

/** An item of the tasks table counts the calls of all accounts that wait or make images: they take half of the executions. */
export const waitingPlaces = (client: DynamoDBClient, environment: McpEnvironment): Waiting => ({
  places: dynamoSlowSteps(client, environment.TASK_TABLE, slotShares(environment.API_EXECUTIONS), {
    id: 'waiting-calls',
  }),
  logger,
  now: Date.now,
});

export const videoTools = (client: DynamoDBClient, environment: McpEnvironment, inputs: ToolInputs) => {
  const { PRICES, TASK_TABLE, MEDIA_BUCKET } = environment;
  const tasks = dynamoTasks(client, TASK_TABLE);
  const pages = { ...tasks, ...dynamoTaskPages(client, TASK_TABLE, logger) };
  const links = s3Links(s3Client(), MEDIA_BUCKET);
  const creation = creationDependencies(environment);
  const cancellation = {
    tasks,
    accounts: dynamoReservations(client, environment),
    webhooks: sqsWebhooks(environment.WEBHOOK_QUEUE_URL),
    logger,
    now: Date.now,
  };
  const waiting = waitingPlaces(client, environment);
  const readRequest = videoRequestReader(environment);

  const showVideo = async (
    task: Task,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<ToolResult> => {
    const now = Date.now();
    const isReady = task.file !== undefined && (task.expiresAt === undefined || now < task.expiresAt);
    const url = isReady
      ? await linkVideo({ tasks: { find: async () => task }, links, now: Date.now }, task.account, task.id)
      : undefined;
    const charge = task.charge ?? chargeFor(task.request.model, task.request.seconds, PRICES);
    return {
      structured: {
        ...describeVideo(task, { url, charge, now, hasShares: environment.SHARE_TABLE !== undefined }),
        ...details,
      },
      content: videoContent(task, url),
    };
  };

  /** An earlier, identical call whose video is unfinished. */
  const findEarlier = (account: string) => async (key: string) => {
    const task = await tasks.find(derivedTaskId(account, key));
    return task && { createdAt: task.createdAt, isFinished: isTerminal(task) || isDeleted(task) };
  };

  const startVideo = async (given: Arguments<'create_video'>, { caller }: ToolCall) => {
    const { max_price, idempotency_key, ...options } = given;
    const request = readRequest(options);
    requirePrice(max_price, chargeFor(request.model, request.seconds, PRICES));
    const call = { caller, tool: 'create_video', given: options, now: Date.now() } as const;
    const key =
      idempotency_key === undefined ? await keyForCall(call, findEarlier(caller.account)) : undefined;
    return createTask(creation, caller, request, {
      idempotencyKey: idempotency_key ?? key?.idempotencyKey,
      fieldName: imageFieldIn(given),
      fieldNames,
    });
  };

  const waitForVideo = (id: string, seconds: number, { caller, requestId, deadline, report }: ToolCall) =>
    waitUntil(waiting, {
      account: caller.account,
      id: requestId,
      deadline: Math.min(deadline, Date.now() + seconds * 1000),
      look: () => findOwned(tasks, caller.account, id),
      isOver: isTerminal,
      describe: ({ status }) => `The video is ${status}.`,
      report,
    });

  const handlers = {
    create_video: async (given, call) => {
      const { task, isNew } = await startVideo(parseBody(inputs.create_video, given), call);
      return showVideo(task, {
        poll_after_seconds: pollSeconds(task, Date.now()),
        ...(isNew
          ? {}
          : {
              reused: true,
              next_step: `An identical call has already started this video, so nothing new was created. Call get_video with video_id ${task.id}. To make a second video, pass another idempotency_key.`,
            }),
      });
    },
    get_video: async (given, call) => {
      const { video_id, wait_seconds = 0 } = parseBody(inputs.get_video, given);
      const task = await waitForVideo(video_id, wait_seconds, call);
      return showVideo(task, isTerminal(task) ? {} : { poll_after_seconds: pollSeconds(task, Date.now()) });
    },
    list_videos: async (given, { caller }) => {
      const query = toQuery({ limit: 10, ...parseBody(inputs.list_videos, given) });
      const wanted = { ...readListQuery(query), filter: readTaskFilter(query) };
      const page = await listVideos(pages, caller.account, wanted);
      const last = page.resumeAfter ?? page.tasks.at(-1)?.id;
      return {
        structured: {
          videos: page.tasks.map(listedVideo),
          has_more: page.hasMore,
          ...(last === undefined ? {} : { last_id: last }),
        },
      };
    },
    cancel_video: async (given, { caller }) => {
      const { video_id } = parseBody(inputs.cancel_video, given);
      const { id, status } = await cancelVideo(cancellation, caller.account, video_id);
      return { structured: { video_id: id, status, next_step: 'The video is cancelled and costs nothing.' } };
    },
  } satisfies Partial<Record<ToolName, ToolHandler>>;

  return {
    handlers,
    tasks: {
      find: (account: string, id: string) => findOwned(tasks, account, id),
      show: showVideo,
      cancel: (account: string, id: string) => cancelVideo(cancellation, account, id),
    },
  };
};
