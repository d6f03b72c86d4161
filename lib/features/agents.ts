import { AGENT_ENDPOINTS, REFUSED_MCP_ENDPOINTS } from '../../functions/agents/api/endpoints.ts';
import type * as Mcp from '../../functions/agents/mcp.ts';
import { requestExecutions } from '../concurrency.ts';
import { allOf, ifIncluded, settings } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';
import { publicAddress } from '../resources/rest-api.ts';
import { generationGrants, IMAGE_SECONDS, previewGrants } from './images.ts';
import { creationGrants } from './videos.ts';

/** No call lasts longer than 45 seconds; images that take longer are finished after the response. */
const STREAM_SECONDS = 60;

/** The tools of agents, through the Model Context Protocol. One function, because clients call one address. */
export const addAgents = (resources: Resources): void => {
  const { config, serve, keys, tasks, accounts, webhooks, files, media, shares, audit } = resources;
  serve<typeof Mcp>(
    ['mcp', AGENT_ENDPOINTS.sendMcpMessage, ...REFUSED_MCP_ENDPOINTS],
    allOf(
      keys.findKeys(),
      creationGrants(resources),
      generationGrants(resources),
      previewGrants(resources),
      tasks.serveAgents(),
      accounts.settle(),
      ifIncluded(webhooks?.queue.send()),
      media.serveVideos(),
      files.create(),
      files.list(),
      files.find(),
      ifIncluded(shares?.add()),
      audit.add(),
      settings({
        PUBLIC_BASE_URL: publicAddress(config),
        API_EXECUTIONS: String(requestExecutions(config)),
      }),
    ),
    { timeoutSeconds: IMAGE_SECONDS, streamSeconds: STREAM_SECONDS, memoryMegabytes: 1536 },
  );
};
