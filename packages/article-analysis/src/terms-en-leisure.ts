import type { CategoryTerms } from "./terms.ts";

/**
 * English terms of technology and leisure; `TERMS_EN` joins both halves. Plurals that follow the
 * rule are implied.
 */
export const LEISURE_TERMS_EN: CategoryTerms = {
  technology: {
    strong: `
      technology|tech giant|silicon valley|google|apple|microsoft|meta|zuckerberg|elon musk|musk|tesla|
      snapchat|reddit|whatsapp|netflix password|iphone|ipad|android|smartphone|laptop|tablet|computer|
      software|hardware|app|app store|operating system|windows|chip|semiconductor|processor|
      artificial intelligence|ai|machine learning|chatgpt|openai|chatbot|algorithm|robot|robotic|drone|
      self-driving|autonomous vehicle|electric vehicle|5g|wi-fi|broadband|online privacy|data breach|
      hacker|hacked|hacking|cyberattack|cybersecurity|malware|ransomware|password|encryption|surveillance|
      facial recognition|deepfake|social media platform|social network|cloud computing|blockchain|
      virtual reality|vr|augmented reality|metaverse|video game console|gadget|wearable|smart home|alexa|
      siri|programming|developer|open source|uber|lyft|airbnb|net neutrality|cambridge analytica`,
    usual: `
      digital|online|device|phone|web|website|platform|privacy|feature|update|email|screen|camera|network|
      server|innovation|engineer|engineering|electronic|social media|misinformation|bot|link|tool|gaming|
      streaming|launch|version|download|upload|tracking|electric|automation|future|twitter|facebook|
      instagram|tiktok|youtube|internet|tech|battery`,
  },
  sports: {
    strong: `
      nfl|nba|mlb|nhl|wnba|ncaa|fifa|uefa|espn|super bowl|world cup|world series|olympic|olympics|
      olympian|paralympic|stanley cup|playoff|championship|quarterback|touchdown|linebacker|pitcher|
      home run|baseball|basketball|soccer|hockey|tennis|golf|golfer|pga|boxing|boxer|ufc|mma|wrestling|
      wrestler|wwe|gymnast|gymnastics|swimmer|skater|figure skating|skier|skiing|snowboard|snowboarder|
      marathon|sprinter|nascar|formula one|cricket|rugby|head coach|teammate|athlete|athletic|referee|
      umpire|stadium|halftime|rookie|draft pick|lebron james|lebron|serena williams|serena|naomi osaka|
      tiger woods|tom brady|kobe bryant|colin kaepernick|kaepernick|megan rapinoe|simone biles|messi|
      ronaldo|djokovic|federer|yankees|red sox|dodgers|lakers|celtics|patriots|packers|kentucky derby|
      wimbledon|us open|tour de france|gold medal|bronze medal|medalist|all-star|slam dunk|goalkeeper|
      premier league|locker room|mvp`,
    usual: `
      sport|team|game|player|league|match|win|won|winning|score|scored|season|victory|defeat|tournament|
      champion|title|record|race|racing|training|ball|goal|field|court|medal|injury|retire|retirement|
      draft|anthem|kneeling|bat|pitch|inning|fighter|ski|run|runner|coach|football|warriors|cowboys|
      eagles|chiefs|swimming`,
  },
  entertainment: {
    strong: `
      movie|film|box office|hollywood|oscar|academy award|emmy|grammy|golden globe|tony award|sundance|
      cannes|sequel|prequel|remake|reboot|spinoff|blockbuster|marvel|avengers|star wars|pixar|hulu|hbo|
      showrunner|sitcom|tv show|tv series|season finale|episode|actor|actress|co-star|costar|cast member|
      filmmaker|screenwriter|celebrity|singer|songwriter|rapper|pop star|boy band|music video|concert|
      tour date|billboard|hip-hop|beyoncé|beyonce|taylor swift|kanye west|kanye|kardashian|kim kardashian|
      rihanna|lady gaga|ariana grande|justin bieber|cardi b|drake|britney spears|harry styles|bts|k-pop|
      lizzo|adele|madonna|jay-z|game of thrones|stranger things|saturday night live|snl|late night|
      stephen colbert|colbert|jimmy kimmel|kimmel|jimmy fallon|fallon|trevor noah|seth meyers|john oliver|
      samantha bee|daily show|comedian|stand-up|comedy|bachelor|bachelorette|reality tv|reality star|
      real housewives|oprah|ellen degeneres|meghan markle|prince harry|red carpet|paparazzi|
      harvey weinstein|weinstein|bill cosby|cosby|r kelly|will smith|tom hanks|brad pitt|angelina jolie|
      jennifer lopez|jennifer lawrence|chrissy teigen|ryan reynolds|chris pratt|video game|anime|
      comic-con|batman|superman|spider-man|black panther|jeopardy|american idol|drag race|soundtrack|
      late-night|late-night host|meyers|corden|james corden|monologue|sketch comedy|mtv|vmas|jenner|conan|
      deadpool|kate middleton|duchess of sussex|musical|grande|ariana|spears|degeneres|alec baldwin|
      jim carrey|pete davidson|finale|celebrities|rap|punchline|boy meets world|showtime|bts army|beatles|
      fleetwood mac|dolly parton|selena gomez|miley cyrus|katy perry|pop culture|pop music|comedy special|
      cameo|box-office|late show|tonight show`,
    usual: `
      star|starring|stars|show|series|music|song|band|fan|tv|television|actor's|director|producer|role|
      character|cast|scene|premiere|host|hosting|audience|streaming|award|awards|performance|perform|
      performer|dance|dancer|joke|funny|hilarious|parody|spoof|roast|viral video|fame|famous|celeb|dating|
      engaged|split|duet|lyric|tour|documentary|watch|drama|reveal|interview|princess|prince|duchess|
      cartoon|sings|sing|plot|talk show|podcast|comic|netflix|disney|trailer|album|single|jimmy|debut|
      reunion|hilariously|legend|adorable|mocks|trolls|solo|epic|sussex|kate|singing|sang|fans`,
  },
  culture: {
    strong: `
      museum|gallery|exhibition|exhibit|painting|painter|sculpture|sculptor|artwork|mural|
      contemporary art|art history|curator|photography exhibit|photographer|novel|novelist|poet|poetry|
      literature|literary|book club|bestseller|memoir|publisher|pulitzer|booker prize|bookstore|library|
      librarian|opera|ballet|symphony|orchestra|conductor|philharmonic|theater|theatre|broadway|
      playwright|musical theater|shakespeare|architecture|architect|heritage|folklore|mythology|
      philosophy|philosopher|historian|history museum|anthropology|anthropologist|religion|religious|
      christianity|evangelical|catholic church|pastor|clergy|islam|islamic|mosque|jewish|judaism|rabbi|
      synagogue|hindu|buddhist|buddhism|faith|theology|bible|gospel|worship|spirituality|ramadan|hanukkah|
      banksy|van gogh|picasso|warhol|frida kahlo|leonardo da vinci|michelangelo|renaissance|art fair|
      auction house|sotheby|antique|linguist`,
    usual: `
      art|culture|cultural|history|historic|historical|tradition|traditional|book|read|reading|writer|
      writing|write|story|essay|language|word|classic|craft|design|designer|ancient|century|festival|
      ritual|prayer|pray|god|stage|playhouse|portrait|canvas|creative|creativity|identity|ancestor|sacred|
      poem|magazine|print|muslim|catholic|christian|bishop|artist|author|pope|priest`,
  },
  food: {
    strong: `
      recipe|cook|cooking|chef|restaurant|kitchen|baking|bake|baked|dinner|lunch|breakfast|brunch|snack|
      dessert|cake|cookie|chocolate|candy|ice cream|bread|sourdough|pizza|pasta|burger|sandwich|taco|
      sushi|noodle|ramen|soup|salad|steak|bacon|sausage|cheese|butter|yogurt|vegetable|fruit|avocado|
      potato|tomato|onion|garlic|mushroom|rice|bean|tofu|vegan|vegetarian|plant-based|gluten-free|spice|
      sauce|ketchup|mustard|olive oil|wine|beer|cocktail|whiskey|vodka|starbucks|espresso|mcdonald|
      burger king|wendy|chipotle|chick-fil-a|taco bell|dunkin|fast food|trader joe|grocery|grocery store|
      food truck|food safety|thanksgiving dinner|pie|pumpkin spice|barbecue|bbq|grill|grilled|slow cooker|
      instant pot|air fryer|cookbook|culinary|foodie|delicious|tasty|flavor|ingredient|menu|diner|
      bartender`,
    usual: `
      food|eat|eating|meal|drink|drinking|taste|dish|plate|sweet|sour|spicy|salt|sugar|meat|beef|pork|
      seafood|salmon|lobster|crab|apple pie|juice|soda|bar|table|farm|farmer|crop|organic|leftover|
      holiday meal|thanksgiving|pan|oven|microwave|fridge|freezer|serve|fried|roast|homemade|craving|
      hungry|hunger|nut|turkey recipe|chicken|milk|egg|tea|coffee`,
  },
  travel: {
    strong: `
      travel|traveler|travelling|traveling|trip|vacation|tourism|tourist|airfare|plane ticket|passport|
      hostel|resort|airbnb|vacation rental|cruise|cruise ship|road trip|backpacking|itinerary|destination|
      sightseeing|hawaii|caribbean|bahamas|bali|iceland|safari|yellowstone|grand canyon|yosemite|
      theme park|disneyland|disney world|universal studios|roller coaster|luggage|suitcase|carry-on|
      packing|jet lag|tsa|boarding pass|frequent flyer|delta airline|united airline|southwest airline|
      american airline|flight attendant|seat belt sign|train travel|amtrak|rail trip|sightseer|camping|
      campground|hiking|hike|hiker|waterfall|scenic|landmark|eiffel tower|honeymoon|getaway|staycation|
      weekend trip|tour guide|guidebook|bucket list|visa-free|duty-free|rv|solo travel|travel advisory|
      travel ban lifted|sunset view|road tripping|lodge|glamping|summer vacation|layover`,
    usual: `
      visit|visitor|tour|city guide|map|explore|exploring|adventure|journey|ticket|booking|book a|drive|
      driving|train|bus|boat|ship|sail|coast|forest|desert|view|summer|winter break|spring break|holiday|
      abroad|destination wedding|local spot|guide|best place|sun|flight|passenger|airline|airport|beach|
      island|national park|mountain|trail|hotel`,
  },
  lifestyle: {
    strong: `
      parent|parenting|newborn|tween|grandparent|grandma|grandpa|spouse|divorce|bride|groom|bridesmaid|
      engagement ring|tinder|breakup|romance|romantic|love life|sex life|valentine|mother s day|
      father s day|beauty|makeup|skincare|skin care|moisturizer|sunscreen|lipstick|mascara|eyeliner|
      nail polish|manicure|haircut|hairstyle|hair care|shampoo|dry shampoo|fashion|fashion week|runway|
      outfit|gown|jeans|sneaker|handbag|jewelry|swimsuit|bra|lingerie|wardrobe|clothing|clothes|stylish|
      supermodel|vogue|home decor|decor|decorating|decluttering|declutter|marie kondo|furniture|mattress|
      pillow|bedding|bedroom|bathroom|cleaning|laundry|vacuum|gardening|houseplant|diy|organizing|
      shopping|gift guide|black friday|cyber monday|amazon prime day|kitten|horoscope|zodiac|astrology|
      perfume|etiquette|self-improvement|halloween costume|costume|funniest tweet|funny tweet|kid|mom|
      toddler|children|parenthood|stepmom|childbirth|breastfeeding|motherhood|fatherhood`,
    usual: `
      lifestyle|home|style|hair|face|skin|look|wear|wearing|friendship|boyfriend|girlfriend|sex|advice|
      tip|buy|best|cozy|comfortable|affordable|guide|school lunch|back to school|party|christmas|holiday|
      perfect|daily|morning|dog|cat|family|baby|mother|father|dad|wife|husband|wedding|birthday|couple|
      married|marriage|teen|teenager|relationship|pet|puppy|dating|dress|shoe|boot|clean|gift|tattoo|
      parents`,
  },
};
