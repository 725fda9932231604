package feed.local;

import java.text.BreakIterator;
import java.text.spi.BreakIteratorProvider;
import java.util.Locale;

/**
 * Word boundaries of Thai, which this Java runtime leaves out and without which Elasticsearch makes no index: it
 * builds its Thai analyzer with each. Every character counts as a word; the service asks for no Thai analysis.
 */
public final class ThaiWords extends BreakIteratorProvider {
    @Override
    public Locale[] getAvailableLocales() {
        return new Locale[] { Locale.of("th") };
    }

    @Override
    public BreakIterator getWordInstance(Locale locale) {
        return getCharacterInstance(locale);
    }

    @Override
    public BreakIterator getCharacterInstance(Locale locale) {
        return BreakIterator.getCharacterInstance(Locale.ROOT);
    }

    @Override
    public BreakIterator getLineInstance(Locale locale) {
        return BreakIterator.getLineInstance(Locale.ROOT);
    }

    @Override
    public BreakIterator getSentenceInstance(Locale locale) {
        return BreakIterator.getSentenceInstance(Locale.ROOT);
    }
}
