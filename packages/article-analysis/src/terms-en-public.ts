import type { CategoryTerms } from "./terms.ts";

/**
 * English terms of public affairs; `TERMS_EN` joins both halves. Plurals that follow the rule are
 * implied.
 */
export const PUBLIC_TERMS_EN: CategoryTerms = {
  politics: {
    strong: `
      trump|biden|obama|clinton|pence|harris|pelosi|mcconnell|schumer|mccarthy|desantis|giuliani|mueller|
      kavanaugh|sanders|warren|rubio|cruz|mccain|romney|bannon|kushner|gop|republican|democrat|democratic|
      congress|senate|senator|sen|rep|congressman|congresswoman|lawmaker|white house|oval office|capitol|
      midterm|election|electoral|ballot|voter|voting rights|campaign rally|presidential|impeachment|
      impeach|filibuster|partisan|bipartisan|legislation|legislature|governor|gov|attorney general|
      supreme court|nominee|primary|caucus|super pac|lobbyist|conservative|liberal|progressive|
      prime minister|parliament|cabinet minister|referendum|brexit|tory|labour party|coalition government|
      inauguration|political party|oath keeper|jan 6|insurrection|special counsel|house speaker|
      gerrymandering|state of the union|maga|ocasio-cortez|mar-a-lago|press secretary|redistricting|
      fox news|tucker carlson|hannity|congressional|bernie|kamala|melania|ivanka|doj|president-elect|
      homeland security|rnc|dnc|qanon|hillary|barack|liz cheney|cheney|buttigieg|gubernatorial|reelection|
      judiciary|beto|kellyanne|kellyanne conway|msnbc|lindsey graham|marjorie taylor greene|joe manchin|
      manchin|aide|pro-trump|ex-trump|proud boy|gop lawmaker|alexandria ocasio-cortez|stacey abrams|
      lincoln project|conway|vice president|voting|donald trump jr|don jr|white house aide|
      electoral college|trump administration|swing state|convention speech`,
    usual: `
      politics|political|politician|president|administration|federal|vote|policy|bill|law|mayor|candidate|
      debate|poll|campaign|party|secretary|minister|government|justice department|fbi|cia|epa|
      constitutional|amendment|veto|executive order|tax cut|medicaid|medicare|obamacare|abortion|
      gun control|immigration|border wall|shutdown|whistleblower|subpoena|testimony|testify|committee|
      house|court|judge|rally|ethics|executive|nomination|pundit|tweet|rights|state|voters|democracy|cnn|
      riot|speaker|critic|adviser|nra|term|lie|lied|truth|agenda|chairman|proposal|funding|overturn|roe|
      reform|elected|slam|rip|joe|counsel|intelligence`,
  },
  business: {
    strong: `
      stock|stock market|wall street|dow jones|nasdaq|s&p|earnings|quarterly|revenue|profit|shareholder|
      investor|ipo|merger|acquisition|takeover|bankruptcy|bankrupt|layoff|lay off|ceo|cfo|chief executive|
      startup|venture capital|hedge fund|private equity|banking|loan|mortgage|interest rate|
      federal reserve|inflation|recession|unemployment|gdp|trade deficit|trade war|supply chain|retailer|
      retail|wholesale|consumer spending|economist|bond|commodity|oil price|cryptocurrency|bitcoin|
      real estate|housing market|small business|entrepreneur|marketing|e-commerce|walmart|goldman sachs|
      jpmorgan|wells fargo|401k|retirement|credit card|debt|budgeting|stimulus check|minimum wage|
      labor union|unionize|manufacturer|warehouse|gig worker|student loan`,
    usual: `
      business|company|market|financial|finance|money|price|cost|dollar|sale|deal|fund|invest|investment|
      economic growth|tax|job|worker|employee|employer|wage|salary|pay|paycheck|union|strike|industry|
      brand|product|customer|consumer|firm|executive|board|boss|career|office|savings|spend|spending|
      owner|store|chain|contract|trade|billion|million|amazon|economy|economic|tariff|billionaire|
      corporate|bank`,
  },
  world: {
    strong: `
      ukraine|ukrainian|russia|russian|putin|kremlin|zelenskyy|zelensky|moscow|kyiv|china|chinese|beijing|
      xi jinping|hong kong|taiwan|north korea|south korea|kim jong un|japanese|tokyo|india|indian|modi|
      pakistan|afghanistan|taliban|kabul|iran|iranian|tehran|iraq|syria|syrian|israel|israeli|palestinian|
      gaza|hamas|netanyahu|saudi|saudi arabia|khashoggi|yemen|turkey|turkish|erdogan|egypt|libya|nigeria|
      ethiopia|kenya|south africa|africa|african|european union|eu|nato|united nations|u n|germany|german|
      merkel|france|french|macron|paris|britain|u k|uk|italy|italian|spain|spanish|greece|poland|belarus|
      myanmar|philippines|indonesia|thailand|vietnam|australia|australian|new zealand|brazil|bolsonaro|
      venezuela|maduro|haiti|cuba|colombia|argentina|chile|trudeau|queen elizabeth|foreign minister|
      ambassador|refugee|ceasefire|airstrike|missile|nuclear weapon|coup|militant|islamic state|isis|
      war crime|invasion|migrant boat|rohingya|uighur|pope francis|vatican|theresa may|boris johnson|
      genocide|hong kong protest|sri lanka|sweden|baghdad|afghan|thai|mariupol|soleimani|jamal khashoggi|
      notre dame|extradition|assassination|foreign ministry|nuclear deal|state media|human rights watch|
      bangladesh|nepal|sudan|somalia|congo|zimbabwe|lebanon|beirut|jerusalem|belgium|netherlands|dutch|
      norway|ireland|irish|scotland|hungary|austria|switzerland|portugal|malaysia|singapore|cambodia|boris`,
    usual: `
      world|international|global|foreign|country|nation|war|troop|military|army|rebel|peace|treaty|
      sanction|diplomat|diplomacy|embassy|border|asylum|exile|regime|dictator|protester|crackdown|
      prime minister|ferry|quake|earthquake|typhoon|tsunami|capital|overseas|abroad|europe|european|asia|
      asian|middle east|latin america|king|royal|human rights|mexico|mexican|canada|canadian|japan|
      british|london|nuclear|forces|ministry|clash|bombing|cathedral|cave`,
  },
  society: {
    strong: `
      police|officer|cop|arrest|arrested|suspect|shooting|gunman|shooter|mass shooting|murder|homicide|
      killed|killing|killer|stabbed|stabbing|robbery|robber|kidnapped|kidnapping|abduction|rape|rapist|
      sexual assault|sexual abuse|sex trafficking|manslaughter|sentenced|sentencing|prison|jail|inmate|
      death row|convicted|guilty|indicted|charged|prosecutor|trial|jury|verdict|lawsuit|sued|wildfire|
      hurricane|tornado|flood|flooding|storm|evacuated|evacuation|crash|derailed|plane crash|body found|
      victim|hate crime|racism|racist|black lives matter|george floyd|breonna taylor|police brutality|
      school shooting|parkland|uvalde|homeless|homelessness|poverty|opioid|overdose|civil rights|
      white supremacist|confederate|teacher strike|school district|university|college|education|sheriff|
      firefighter|rescue|rescued|transgender|lgbtq|discrimination|mental hospital|amber alert`,
    usual: `
      crime|criminal|court|judge|authority|investigation|accused|allegedly|alleged|shot|dead|death|died|
      dy|injured|fatal|attack|gun|weapon|bomb|fire|burned|neighbor|community|resident|local|county|city|
      town|school|campus|church|community leader|veteran|equality|justice|racial|gay|protester|activist|
      march|harassment|abuse|emergency|texas|florida|california|chicago|minneapolis|houston|oregon|ohio|
      michigan|georgia|statue|shelter|road|driver|weather|protest|teacher|student|immigrant|migrant|
      missing|execution|conviction|pilot|crashed|apartment|epstein|patrol|horse|officials say|deputies|
      found|year-old`,
  },
  science: {
    strong: `
      science|scientist|nasa|spacex|spacecraft|astronaut|space station|rocket launch|satellite|telescope|
      planet|mars|moon|jupiter|saturn|venus|asteroid|comet|meteor|galaxy|black hole|eclipse|astronomer|
      astronomy|universe|physics|physicist|chemistry|biology|biologist|genome|genetic|gene|dna|fossil|
      dinosaur|paleontologist|archaeologist|archaeology|evolution|species|endangered|extinct|extinction|
      wildlife|climate change|climate crisis|global warming|greenhouse gas|carbon emission|emission|
      fossil fuel|renewable energy|solar power|wind power|glacier|arctic|antarctica|antarctic|sea level|
      coral reef|coral|ecosystem|biodiversity|conservation|volcano|volcanic|seismic|geologist|quantum|
      particle|laboratory|experiment|nobel prize|neuroscience|researcher|whale|shark|bear cub|
      plastic pollution|environmental|environmentalist|pollution|deforestation|amazon rainforest|drought|
      pipeline|mammal|lunar|cosmic`,
    usual: `
      study|research|environment|climate|planetary|space|earth|ocean|sea|animal|bird|fish|insect|bee|
      plant|tree|forest|ice|water|energy|solar|coal|oil|gas|species found|discovery|discover|discovered|
      theory|professor|expert|temperature|heat wave|atmosphere|carbon|toxic|chemical|nature|natural|
      green new deal|paris agreement|orbit|lab|mission`,
  },
  health: {
    strong: `
      vaccine|vaccination|vaccinated|unvaccinated|booster|omicron|delta variant|fauci|flu|influenza|
      measles|ebola|zika|monkeypox|polio|epidemic|quarantine|physician|nurse|surgeon|medicine|medication|
      drug trial|clinical trial|fda|disease|cancer|breast cancer|tumor|diabetes|heart attack|
      heart disease|stroke|alzheimer|dementia|depression|anxiety|therapist|therapy|mental health|
      mental illness|ptsd|suicide|suicidal|addiction|insomnia|sleep|diet|nutrition|nutritionist|vitamin|
      obesity|weight loss|exercise|workout|yoga|meditation|mindfulness|pregnancy|pregnant|miscarriage|
      fertility|menopause|allergy|asthma|migraine|symptom|diagnosis|diagnosed|immune|public health|
      health care|wellness|self-care|burnout|face mask|mask mandate|social distancing`,
    usual: `
      health|healthy|illness|sick|treatment|treat|cure|care|clinic|brain|heart|skin|stress|mask|dose|
      testing|fitness|muscle|calorie|habit|aging|risk|wellbeing|coping|cope|emotional|trauma|grief|
      feeling|insurance|mental|panic|relax|tired|eating disorder|sugar|side effect|blood|eye|dentist|
      teeth|covid-19|coronavirus|pandemic|virus|outbreak|hospital|covid|doctor|patient|cdc|infection|
      hospitalized|infected|medical|pain|surgery`,
  },
};
