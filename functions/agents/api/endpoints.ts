import { FILE_ENDPOINTS } from '../../files/api/endpoints.ts';
import { declareFor, type Endpoint } from '../../identity/api/declare-endpoint.ts';
import { IMAGE_ENDPOINTS } from '../../images/api/endpoints.ts';
import { MODEL_ENDPOINTS } from '../../models/api/endpoints.ts';
import { SHARE_ENDPOINTS } from '../../shares/api/endpoints.ts';
import { VIDEO_ENDPOINTS } from '../../videos/api/endpoints.ts';
import type { ToolName } from '../domain/tools.ts';

const { DELETE, GET, POST } = declareFor('mcp');

/** Each tool has a role of its own. */
export const AGENT_ENDPOINTS = {
  sendMcpMessage: POST('/mcp', 'Call a tool', 'viewer', { throttle: 'slow' }),
};

/** Clients of earlier revisions look for a stream or end a session; there are none. */
export const REFUSED_MCP_ENDPOINTS = [
  GET('/mcp', 'Answer 405', 'viewer'),
  DELETE('/mcp', 'Answer 405', 'viewer'),
] as const;

/** The endpoints whose rules and roles the tools have. */
export const TOOL_ENDPOINTS: Readonly<Record<ToolName, Endpoint>> = {
  list_models: MODEL_ENDPOINTS.listModels,
  estimate_price: MODEL_ENDPOINTS.listModels,
  create_video: VIDEO_ENDPOINTS.createVideo,
  get_video: VIDEO_ENDPOINTS.getVideo,
  list_videos: VIDEO_ENDPOINTS.listVideos,
  cancel_video: VIDEO_ENDPOINTS.cancelVideo,
  generate_image: IMAGE_ENDPOINTS.generateImages,
  get_image: FILE_ENDPOINTS.getFile,
  list_images: FILE_ENDPOINTS.listFiles,
  create_upload: FILE_ENDPOINTS.createFile,
  create_share_link: SHARE_ENDPOINTS.createShare,
  get_budget: MODEL_ENDPOINTS.listModels,
};
