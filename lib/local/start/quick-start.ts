type Access = {
  readonly baseUrl: string;
  readonly apiKey: string;
};

/** Lines to paste one by one, ending with a playable file. */
export const quickStart = ({ baseUrl, apiKey }: Access): readonly string[] => {
  const key = `-H 'Authorization: Bearer ${apiKey}'`;
  const request = JSON.stringify({
    model: 'video-3.1-fast-generate-preview',
    prompt: 'A paper boat drifts across a quiet lake at sunrise',
  });
  const create = `curl -sS ${baseUrl}/v1/videos ${key} -H 'Content-Type: application/json' -d '${request}'`;
  const poll = `curl -sS ${baseUrl}/v1/videos/$TASK ${key}`;
  const isOver = `grep -qE '"status":"(completed|failed)"|"error":[{]'`;
  return [
    `ANSWER=$(${create}); echo "$ANSWER"; TASK=$(echo "$ANSWER" | grep -o 'task_[[:alnum:]_-]*' | head -n 1)`,
    `until ANSWER=$(${poll}); echo "$ANSWER"; echo "$ANSWER" | ${isOver}; do sleep 2; done`,
    `curl -sSL ${baseUrl}/v1/videos/$TASK/content ${key} -o video.mp4 && ls -l video.mp4`,
  ];
};
