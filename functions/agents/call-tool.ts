import { logger } from '../identity/authentication/endpoint.ts';
import type { Caller } from '../identity/domain/api-key.ts';
import { requestAction } from '../identity/domain/audit.ts';
import { requireRole } from '../identity/domain/roles.ts';
import { DomainError } from '../platform/domain/errors.ts';
import { asDomainError, type HttpRequest, type Outcome } from '../platform/runtime/http.ts';
import { pollSeconds } from '../videos/api/video-object.ts';
import { TOOL_ENDPOINTS } from './api/endpoints.ts';
import { finishedTask, taskFields, toolAnswer, toolError } from './api/tool-answer.ts';
import { type Fields, RpcError } from './domain/messages.ts';
import {
  LONGEST_CALL_SECONDS,
  type ToolCall,
  type ToolName,
  ToolRefusal,
  type ToolResult,
} from './domain/tools.ts';
import type { Tools } from './tools.ts';
import type { Answer, Report, ToolRequest } from './usecases/serve-request.ts';

/** Leaves time to send the result. */
const RESULT_MILLISECONDS = 4000;

export type Context = {
  readonly caller: Caller;
  readonly request: HttpRequest;
  readonly outcome: Outcome;
  readonly startedAt: number;
  readonly loadTools: () => Promise<Tools>;
  /** Looks the key up again, for calls that create links. */
  readonly authenticateAgain: () => Promise<Caller>;
};

const requireToolRole = ({ role }: Caller, tool: ToolName): void => {
  const needed = TOOL_ENDPOINTS[tool].role;
  if (role !== undefined && needed !== 'public') requireRole(role, needed, true);
};

const findCaller = async (context: Context, tool: ToolName): Promise<Caller> => {
  const caller = tool === 'create_share_link' ? await context.authenticateAgain() : context.caller;
  requireToolRole(caller, tool);
  return caller;
};

const toCall = ({ request, startedAt }: Context, caller: Caller, report: Report): ToolCall => ({
  caller,
  requestId: request.requestId,
  action: requestAction({ ...request, caller }),
  publicUrl: request.publicUrl,
  deadline: startedAt + LONGEST_CALL_SECONDS * 1000 - RESULT_MILLISECONDS,
  report,
});

/** Errors that a model can do something about are results; bugs are errors of the protocol. */
const toError = ({ outcome, request }: Context, error: unknown): Fields => {
  if (error instanceof ToolRefusal) {
    outcome.code = error.code;
    return toolError(error.code, error.message);
  }
  const told = asDomainError(error, logger);
  outcome.code = told.code;
  if (told.code === 'internal')
    throw new RpcError('internal', `Something went wrong on our side. (request id ${request.requestId})`);
  const isBusy = told.rule.http === 429 || told.rule.http === 503;
  const seconds = told.retryAfterSeconds ?? (isBusy && told.rule.retry !== false ? 5 : undefined);
  return toolError(told.code, told.message, isBusy ? seconds : undefined);
};

/** A video of a client that declares the tasks extension. */
const asTask = async ({ tasks }: Tools, account: string, { structured }: ToolResult): Promise<Fields> => {
  const task = await tasks.find(account, String(structured.video_id));
  return { resultType: 'task', ...taskFields(task, pollSeconds(task, Date.now())) };
};

export const callTool = async (
  context: Context,
  { tool, given, acceptsTasks }: ToolRequest,
  report: Report,
): Promise<Answer> => {
  context.outcome.tool = tool;
  try {
    const caller = await findCaller(context, tool);
    const tools = await context.loadTools();
    const shown = await tools.handlers[tool](given, toCall(context, caller, report));
    const result =
      acceptsTasks && tool === 'create_video'
        ? await asTask(tools, caller.account, shown)
        : toolAnswer(shown);
    return { result, settled: shown.settled };
  } catch (error) {
    return { result: toError(context, error) };
  }
};

const unknownTask = (): RpcError => new RpcError('invalidParams', 'Unknown task.');

/** Tasks are videos of the caller's account. */
export const videoTasks = (context: Context) => {
  const find = async (tools: Tools, taskId: string) => {
    const { account } = context.caller;
    return tools.tasks.find(account, taskId).catch((error: unknown) => {
      throw error instanceof DomainError && error.code === 'video_not_found' ? unknownTask() : error;
    });
  };
  return {
    get: async (taskId: string): Promise<Fields> => {
      requireToolRole(context.caller, 'get_video');
      const tools = await context.loadTools();
      const task = await find(tools, taskId);
      const shown = await tools.tasks.show(task);
      return { ...taskFields(task, pollSeconds(task, Date.now())), ...finishedTask(task, shown) };
    },
    /** A video that the generator has cannot be cancelled; the client learns it from the task's status. */
    cancel: async (taskId: string): Promise<void> => {
      requireToolRole(context.caller, 'cancel_video');
      const tools = await context.loadTools();
      const { id } = await find(tools, taskId);
      await tools.tasks.cancel(context.caller.account, id).catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
      });
    },
  };
};
