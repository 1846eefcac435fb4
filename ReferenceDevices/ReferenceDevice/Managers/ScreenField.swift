import Wire

/// The template data of the screen manager.
///
/// The names are those of `SDLResumptionManager`'s properties (SDL-0183).
public enum ScreenField: String, Sendable, Hashable, CaseIterable {
    case textField1, textField2, textField3, textField4
    case mediaTrackTextField
    case primaryGraphic, secondaryGraphic
    case textAlignment
    case textField1Type, textField2Type, textField3Type, textField4Type

    /// The parameter of Show that carries the field; for a type, the member of `metadataTags`.
    var parameter: String {
        switch self {
        case .textField1, .textField1Type: "mainField1"
        case .textField2, .textField2Type: "mainField2"
        case .textField3, .textField3Type: "mainField3"
        case .textField4, .textField4Type: "mainField4"
        case .mediaTrackTextField: "mediaTrack"
        case .primaryGraphic: "graphic"
        case .secondaryGraphic: "secondaryGraphic"
        case .textAlignment: "alignment"
        }
    }

    /// The kind of data that the field belongs to.
    var kind: DataKind {
        switch self {
        case .textField1, .textField2, .textField3, .textField4: .textFields
        case .mediaTrackTextField: .mediaTrack
        case .primaryGraphic, .secondaryGraphic: .graphics
        case .textAlignment: .alignment
        case .textField1Type, .textField2Type, .textField3Type, .textField4Type: .metadataTypes
        }
    }

    /// The words that the field may contain; `nil` for any text.
    var words: [String]? {
        switch kind {
        case .alignment: ["LEFT_ALIGNED", "RIGHT_ALIGNED", "CENTERED"]
        case .metadataTypes:
            [
                "mediaTitle", "mediaArtist", "mediaAlbum", "mediaYear", "mediaGenre",
                "mediaStation", "rating", "currentTemperature", "maximumTemperature",
                "minimumTemperature", "weatherTerm", "humidity",
            ]
        default: nil
        }
    }
}

/// The kinds of data that resumption covers.
public enum DataKind: String, Sendable, Hashable, CaseIterable {
    case textFields, mediaTrack, graphics, alignment, metadataTypes
    case softButtons, menu, voiceCommands, choices
}

/// The value of a template field.
public enum ScreenValue: Sendable, Hashable {
    /// No value: the developer has set the property to nil.
    case nothing
    case text(String)
    case artwork(Artwork)

    /// The artwork; `nil` if the value is not one.
    var artwork: Artwork? {
        if case .artwork(let artwork) = self { artwork } else { nil }
    }

    /// Returns the value in the form of a document.
    func value(_ form: DocumentForm) -> Value {
        switch self {
        case .nothing: .null
        case .text(let text): .string(text)
        case .artwork(let artwork): artwork.value(form)
        }
    }

    /// Returns the value as a parameter of Show.
    func parameter(of field: ScreenField) -> Value {
        switch (self, field.kind) {
        case (.text(let text), .metadataTypes): [.string(text)]
        case (.text(let text), _): .string(text)
        case (.artwork(let artwork), _): artwork.image
        case (.nothing, .metadataTypes): []
        case (.nothing, .graphics): Artwork.noImage
        case (.nothing, .alignment): "CENTERED"
        case (.nothing, _): ""
        }
    }
}
