/** How a backup is wished. */
export interface BackupWishes {
  /** Who asks. */
  user: string;
  storage: string;
  mode: string;
  compress: string;
  notes?: string;
  /** How long a guest that is to be stopped may take, in seconds. */
  stopSeconds: number;
  protected: boolean;
  /** How many backups are to stay, and whether the others go. */
  retention: Record<string, string>;
  remove: boolean;
}
