/** How each client of the Model Context Protocol is told the address and the key. docs/clients.md has the same. */

export type SetUp = {
  readonly name: string;
  /** Where the text belongs: a command line, or a file. */
  readonly place: 'terminal' | 'settings' | (string & {});
  readonly code: string;
};

const json = (value: unknown): string => JSON.stringify(value, null, 2);

export const setUps = (url: string, key: string): readonly SetUp[] => {
  const headers = { Authorization: `Bearer ${key}` };
  return [
    {
      name: 'Claude Code',
      place: 'terminal',
      code: `claude mcp add --transport http media ${url} \\\n  --header "Authorization: Bearer ${key}"`,
    },
    {
      name: 'VS Code',
      place: '.vscode/mcp.json',
      code: json({ servers: { media: { type: 'http', url, headers } } }),
    },
    { name: 'Cursor', place: '~/.cursor/mcp.json', code: json({ mcpServers: { media: { url, headers } } }) },
    {
      name: 'LibreChat',
      place: 'librechat.yaml',
      code: `mcpServers:\n  media:\n    type: streamable-http\n    url: ${url}\n    headers:\n      Authorization: "Bearer ${key}"`,
    },
    {
      name: 'Open WebUI',
      place: 'settings',
      code: `Admin Settings › External Tools › Add\nType: MCP (Streamable HTTP)\nURL: ${url}\nAuth: Bearer\nKey: ${key}`,
    },
    {
      name: 'n8n',
      place: 'settings',
      code: `MCP Client Tool\nEndpoint: ${url}\nServer transport: HTTP Streamable\nAuthentication: Bearer Auth\nToken: ${key}`,
    },
    {
      name: 'Codex',
      place: '~/.codex/config.toml',
      code: `[mcp_servers.media]\nurl = "${url}"\nbearer_token_env_var = "MEDIA_API_KEY"\n\n# In the terminal:\n# export MEDIA_API_KEY=${key}`,
    },
    { name: 'JSON', place: 'settings', code: json({ type: 'streamable-http', url, headers }) },
  ];
};
