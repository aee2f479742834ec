import * as z from 'zod'
import { id } from './common.schema'
import { maxNoteLength, type NoteView, notedResources } from './notes'

const targetFields = {
  resource: z.enum(notedResources, `Must be one of ${notedResources.join(', ')}.`),
  record: id,
}

/** Schemas of the note operations. The browser creates the `note` id, so that a second click does not create a second note. */
export const noteSchemas = {
  'notes.list': { input: z.strictObject(targetFields), output: z.custom<NoteView[]>() },
  'notes.create': {
    input: z.strictObject({
      ...targetFields,
      note: id,
      text: z.string('Write the note.').trim().min(1, 'Write the note.').max(maxNoteLength, `Must be at most ${maxNoteLength} characters.`),
    }),
    output: z.custom<NoteView[]>(),
  },
  'notes.withdraw': { input: z.strictObject({ ...targetFields, note: id }), output: z.custom<NoteView[]>() },
  'notes.evidence': { input: z.strictObject(targetFields), output: z.custom<never>() },
}
