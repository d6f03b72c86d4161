import { createFile, getFile, listFiles } from '../../files/api/endpoints.ts';
import type { Endpoint } from '../../identity/api/endpoint.ts';
import { generateImages } from '../../images/api/endpoints.ts';
import { listModels } from '../../models/api/endpoints.ts';
import { createShare } from '../../shares/api/endpoints.ts';
import { cancelVideo, createVideo, getVideo, listVideos } from '../../videos/api/endpoints.ts';
import type { ToolName } from '../domain/tools.ts';

/** Each tool has a role of its own. */
export const sendMcpMessage = {
  method: 'POST',
  path: '/mcp',
  summary: 'Call a tool',
  role: 'viewer',
} as const satisfies Endpoint;

const refused = { path: '/mcp', summary: 'Answer 405', role: 'viewer' } as const;

/** Clients of earlier revisions look for a stream or end a session; there are none. */
export const REFUSED_MCP_ENDPOINTS = [
  { ...refused, method: 'GET' },
  { ...refused, method: 'DELETE' },
] as const satisfies readonly Endpoint[];

export const AGENT_ENDPOINTS = { sendMcpMessage };

/** The endpoints whose rules and roles the tools have. */
export const TOOL_ENDPOINTS: Readonly<Record<ToolName, Endpoint>> = {
  list_models: listModels,
  estimate_price: listModels,
  create_video: createVideo,
  get_video: getVideo,
  list_videos: listVideos,
  cancel_video: cancelVideo,
  generate_image: generateImages,
  get_image: getFile,
  list_images: listFiles,
  create_upload: createFile,
  create_share_link: createShare,
  get_budget: listModels,
};
