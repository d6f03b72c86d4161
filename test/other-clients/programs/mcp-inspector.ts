import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

/** The command line of the MCP Inspector, in both eras; with the tasks extension it returns the finished video. */

const call = (era: string, method: string, ...parameters: string[]) => {
  const output = execFileSync(
    process.execPath,
    [
      'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
      '--cli',
      `${process.env.BASE_URL}/mcp`,
      ...['--transport', 'http', '--protocol-era', era, '--format', 'json'],
      ...['--header', `Authorization: Bearer ${process.env.API_KEY}`],
      ...['--method', method],
      ...parameters,
    ],
    { encoding: 'utf8' },
  );
  return JSON.parse(output);
};
const callTool = (era: string, name: string, ...given: string[]) =>
  call(era, 'tools/call', '--tool-name', name, ...given.flatMap((each) => ['--tool-arg', each]));

const readFields = (answer: unknown) => {
  const { structuredContent, result } = Object(answer);
  return structuredContent ?? Object(result).structuredContent;
};

for (const era of ['legacy', 'modern']) {
  const list = call(era, 'tools/list');
  assert.equal((list.tools ?? list.result.tools).length, 12);
  const { price } = readFields(callTool(era, 'estimate_price', 'kind=image'));
  assert.match(price, /^\d+\.\d+$/);
  const video = readFields(
    callTool(era, 'create_video', `prompt=A cat for the ${era} Inspector`, 'seconds=4'),
  );
  assert.equal(video.status, era === 'modern' ? 'completed' : 'queued');
  const done = readFields(callTool(era, 'get_video', `video_id=${video.video_id}`, 'wait_seconds=40'));
  const file = Buffer.from(await (await fetch(done.url)).arrayBuffer());
  assert.equal(file.toString('latin1', 4, 8), 'ftyp');
  const { images } = readFields(callTool(era, 'generate_image', `prompt=A fox for the ${era} Inspector`));
  const { url } = readFields(callTool(era, 'create_share_link', `file_id=${images[0].file_id}`));
  assert.equal((await fetch(url)).status, 200);
  console.log(`Inspector, ${era}: ok`);
}
