import { badDocs, goodDocs } from './doc'
import { badDocxs } from './docx-bad'
import { goodDocxs } from './docx-good'
import { badJpegs, goodJpegs } from './jpeg'
import { badPdfs } from './pdf-bad'
import { goodPdfs } from './pdf-good'
import { badPngs, goodPngs } from './png'
import type { Sample } from './sample'

/** Files that people really have, as the programs write them that people use. */
export const goodFiles: Sample[] = [...goodPdfs, ...goodPngs, ...goodJpegs, ...goodDocs, ...goodDocxs]

/** Files that must not be taken, each with the problem it is refused for. */
export const badFiles: Sample[] = [...badPdfs, ...badPngs, ...badJpegs, ...badDocs, ...badDocxs]
