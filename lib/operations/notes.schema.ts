import * as z from 'zod'
import { id } from './common.schema'
import { maxNoteLength, type NoteView, resourcesWithNotes } from './notes'

const noteTargetFields = {
  resource: z.enum(resourcesWithNotes, `Must be one of ${resourcesWithNotes.join(', ')}.`),
  record: id,
}

/** The browser creates the id (`note`), so that a second click creates no second note. */
export const noteSchemas = {
  'notes.list': { input: z.strictObject(noteTargetFields), output: z.custom<NoteView[]>() },
  'notes.create': {
    input: z.strictObject({
      ...noteTargetFields,
      note: id,
      text: z
        .string('Write the note.')
        .trim()
        .min(1, 'Write the note.')
        .max(maxNoteLength, `Must be at most ${maxNoteLength} characters.`),
    }),
    output: z.custom<NoteView[]>(),
  },
  'notes.withdraw': {
    input: z.strictObject({ ...noteTargetFields, note: id }),
    output: z.custom<NoteView[]>(),
  },
  'notes.evidence': { input: z.strictObject(noteTargetFields), output: z.custom<never>() },
}
