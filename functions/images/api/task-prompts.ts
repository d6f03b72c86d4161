/**
 * Chat applications ask the model of a chat for titles, tags, follow-up questions and summaries. Most of these requests
 * have the same options as a chat, so they are recognized by the default prompts of the applications.
 */
type TaskPrompt = { readonly begins: string; readonly contains?: string };

const TASK_PROMPTS: readonly TaskPrompt[] = [
  // Open WebUI, all tasks. Its prompt for a chat about documents begins the same, but asks for no JSON.
  { begins: '### Task:', contains: 'JSON format' },
  // LibreChat
  { begins: 'Provide a concise, 5-word-or-less title for the conversation' },
  { begins: 'Analyze this conversation and provide:', contains: 'title' },
  // Chatbox
  { begins: 'Based on the chat history, give this conversation a name.' },
  { begins: 'Summarize this conversation as a handoff briefing' },
  // NextChat in English and Chinese
  { begins: 'Please generate a four to five word title summarizing our conversation' },
  { begins: 'Summarize the discussion briefly in 200 words or less' },
  { begins: '使用四到五个字直接返回这句话的简要主题' },
  { begins: '简要总结一下对话内容' },
  // big-AGI
  { begins: 'You are an AI conversation titles assistant' },
  // Cherry Studio, versions 2 and 1
  { begins: 'Summarize the conversation into a title' },
  { begins: 'Summarize the given session as a 10-word title' },
  // LobeChat
  { begins: 'You are a professional conversation summarizer' },
];

/** Whether the text is the default prompt of such a task. */
export const isTaskPrompt = (text: string): boolean => {
  const start = text.trimStart();
  return TASK_PROMPTS.some(
    ({ begins, contains = '' }) => start.startsWith(begins) && start.includes(contains),
  );
};
