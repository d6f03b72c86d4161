import { useEffect, useState } from 'preact/hooks';

const DOWNLOAD_MS = 60_000;

export const useObjectUrl = (blob: Blob): string | undefined => {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const created = URL.createObjectURL(blob);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [blob]);
  return url;
};

/** Downloads the file at an address; without a name, the server names it. */
export const download = (href: string, name = ''): void => {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
};

export const saveFile = (name: string, blob: Blob): void => {
  const url = URL.createObjectURL(blob);
  download(url, name);
  setTimeout(() => URL.revokeObjectURL(url), DOWNLOAD_MS);
};
