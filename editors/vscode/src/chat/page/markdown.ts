// Answers as Markdown. Models write them, and models repeat what they read: no markup of theirs counts, no image is
// loaded, and a link leads to the web alone, through the extension.

import MarkdownIt from 'markdown-it';
import { isLink } from '../messages';

export function createMarkdown(): (text: string) => string {
  const md = new MarkdownIt({ html: false, linkify: false, breaks: false });
  md.disable('image');
  md.validateLink = isLink;
  return (text) => md.render(text);
}
