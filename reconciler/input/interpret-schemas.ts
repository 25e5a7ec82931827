import * as z from 'zod';

// A run reads few documents: compiling a parser for each schema costs more than it saves. It counts for schemas that
// are made later, so this file is imported before any that makes one.
z.config({ jitless: true });
