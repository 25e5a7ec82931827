import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a run must know to clean up after another that was killed. */
export interface Entry {
  endpoint: string;
  recording: string;
  /** The keys of everything that stood there before. */
  before: string[];
  /** The datacenter's options as they were. */
  options: Record<string, unknown>;
  /** The cluster's time at the first and at the latest answer, in seconds. */
  started: number;
  last: number;
}

/** A file that says which recording is being played where. It is there only while one is. */
export class Journal {
  constructor(private readonly file: string) {}

  read(): Entry | undefined {
    return existsSync(this.file) ? (JSON.parse(readFileSync(this.file, 'utf8')) as Entry) : undefined;
  }

  write(entry: Entry): void {
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(`${this.file}.new`, JSON.stringify(entry));
    renameSync(`${this.file}.new`, this.file);
  }

  forget(): void {
    rmSync(this.file, { force: true });
  }
}
