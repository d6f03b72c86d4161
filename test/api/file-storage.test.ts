/** These tests share one service that stores 10 MB for an account. */
import './file-storage/storage-limit.ts';
import './file-storage/deleted-files.ts';
