extension RPCSpecification {
    /// The structures from MassageModeData on: the name, then the parameters.
    static let structures2 = """
        MassageModeData: massageZone! MassageZone, massageMode! MassageMode
        MediaServiceData: mediaType MediaType, mediaTitle S, mediaArtist S, mediaAlbum S,
          playlistName S, isExplicit B, trackPlaybackProgress I, trackPlaybackDuration I,
          queuePlaybackProgress I, queuePlaybackDuration I, queueCurrentTrackNumber I,
          queueTotalTrackCount I, mediaImage Image
        MediaServiceManifest:
        MenuParams: parentID I0:2000000000, position I0:1000, menuName! S500, secondaryText S500,
          tertiaryText S500
        MetadataTags: mainField1 [MetadataType]0:5, mainField2 [MetadataType]0:5,
          mainField3 [MetadataType]0:5, mainField4 [MetadataType]0:5
        ModuleData: moduleType! ModuleType, moduleId S100, radioControlData RadioControlData,
          climateControlData ClimateControlData, seatControlData SeatControlData,
          audioControlData AudioControlData, lightControlData LightControlData,
          hmiSettingsControlData HMISettingsControlData
        ModuleInfo: moduleId! S100, location Grid, serviceArea Grid, allowMultipleAccess B
        MyKey: e911Override! VehicleDataStatus
        NavigationCapability: sendLocationEnabled B, getWayPointsEnabled B
        NavigationInstruction: locationDetails! LocationDetails, action! NavigationAction,
          eta DateTime, bearing I0:359, junctionType NavigationJunction, drivingSide Direction,
          details S, image Image
        NavigationServiceData: timeStamp! DateTime, origin LocationDetails,
          destination LocationDetails, destinationETA DateTime,
          instructions [NavigationInstruction], nextInstructionETA DateTime,
          nextInstructionDistance F, nextInstructionDistanceScale F, prompt S
        NavigationServiceManifest: acceptsWayPoints B
        OASISAddress: countryName S200, countryCode S50, postalCode S16, administrativeArea S200,
          subAdministrativeArea S200, locality S200, subLocality S200, thoroughfare S200,
          subThoroughfare S200
        ParameterPermissions: allowed! [S100]0:100, userDisallowed! [S100]0:100
        PermissionItem: rpcName! S100, hmiPermissions! HMIPermissions,
          parameterPermissions! ParameterPermissions, requireEncryption B
        PhoneCapability: dialNumberEnabled B
        PresetBankCapabilities: onScreenPresetsAvailable! B
        RGBColor: red! I0:255, green! I0:255, blue! I0:255
        RadioControlCapabilities: moduleName! S100, moduleInfo ModuleInfo, radioEnableAvailable B,
          radioBandAvailable B, radioFrequencyAvailable B, hdChannelAvailable B, rdsDataAvailable B,
          availableHDsAvailable B, availableHdChannelsAvailable B, stateAvailable B,
          signalStrengthAvailable B, signalChangeThresholdAvailable B, sisDataAvailable B,
          hdRadioEnableAvailable B, siriusxmRadioAvailable B
        RadioControlData: frequencyInteger I0:1710, frequencyFraction I0:9, band RadioBand,
          rdsData RdsData, hdRadioEnable B, availableHDs I1:7, availableHdChannels [I0:7]0:8,
          hdChannel I0:7, signalStrength I0:100, signalChangeThreshold I0:100, radioEnable B,
          state RadioState, sisData SisData
        RdsData: PS S8, RT S64, CT S24:24, PI S6, PTY I0:31, TP B, TA B, REG S
        Rectangle: x! F, y! F, width! F, height! F
        RemoteControlCapabilities: climateControlCapabilities [ClimateControlCapabilities]1:100,
          radioControlCapabilities [RadioControlCapabilities]1:100,
          buttonCapabilities [ButtonCapabilities]1:100,
          audioControlCapabilities [AudioControlCapabilities]1:100,
          hmiSettingsControlCapabilities HMISettingsControlCapabilities,
          lightControlCapabilities LightControlCapabilities,
          seatControlCapabilities [SeatControlCapabilities]1:100
        RoofStatus: location! Grid, status! DoorStatusType, state WindowState
        ScreenParams: resolution! ImageResolution, touchEventAvailable TouchEventCapabilities
        SeatControlCapabilities: moduleName! S100, moduleInfo ModuleInfo, heatingEnabledAvailable B,
          coolingEnabledAvailable B, heatingLevelAvailable B, coolingLevelAvailable B,
          horizontalPositionAvailable B, verticalPositionAvailable B,
          frontVerticalPositionAvailable B, backVerticalPositionAvailable B,
          backTiltAngleAvailable B, headSupportHorizontalPositionAvailable B,
          headSupportVerticalPositionAvailable B, massageEnabledAvailable B, massageModeAvailable B,
          massageCushionFirmnessAvailable B, memoryAvailable B
        SeatControlData: id~ SupportedSeat, heatingEnabled B, coolingEnabled B, heatingLevel I0:100,
          coolingLevel I0:100, horizontalPosition I0:100, verticalPosition I0:100,
          frontVerticalPosition I0:100, backVerticalPosition I0:100, backTiltAngle I0:100,
          headSupportHorizontalPosition I0:100, headSupportVerticalPosition I0:100,
          massageEnabled B, massageMode [MassageModeData]1:2,
          massageCushionFirmness [MassageCushionFirmness]1:5, memory SeatMemoryAction
        SeatLocation: grid Grid
        SeatLocationCapability: rows I1:100, columns I1:100, levels I1:100, seats [SeatLocation]
        SeatMemoryAction: id! I1:10, label S100, action! SeatMemoryActionType
        SeatOccupancy: seatsOccupied [SeatStatus]0:100, seatsBelted [SeatStatus]0:100
        SeatStatus: seatLocation! SeatLocation, conditionActive! B
        SeekStreamingIndicator: type! SeekIndicatorType, seekTime I1:99
        SingleTireStatus: status! ComponentVolumeStatus, tpms TPMS, pressure F0:2000
        SisData: stationShortName S4:7, stationIDNumber StationIDNumber, stationLongName S56,
          stationLocation GPSData, stationMessage S56
        SoftButton: type! SoftButtonType, text S500, image Image, isHighlighted B,
          softButtonID! I0:65535, systemAction SystemAction
        SoftButtonCapabilities: shortPressAvailable! B, longPressAvailable! B, upDownAvailable! B,
          imageSupported! B, textSupported B
        StabilityControlsStatus: escSystem VehicleDataStatus, trailerSwayControl VehicleDataStatus
        StartTime: hours! I0:59, minutes! I0:59, seconds! I0:59
        StationIDNumber: countryCode I0:999, fccFacilityId I0:999999
        SyncMsgVersion: majorVersion! I1:10, minorVersion! I0:1000, patchVersion I0:1000
        SystemCapability: systemCapabilityType! SystemCapabilityType,
          navigationCapability NavigationCapability, phoneCapability PhoneCapability,
          videoStreamingCapability VideoStreamingCapability,
          remoteControlCapability RemoteControlCapabilities,
          appServicesCapabilities AppServicesCapabilities,
          seatLocationCapability SeatLocationCapability,
          displayCapabilities [DisplayCapability]1:1000,
          driverDistractionCapability DriverDistractionCapability
        TTSChunk: text! S500, type! SpeechCapabilities
        Temperature: unit! TemperatureUnit, value! F
        TemplateColorScheme: primaryColor RGBColor, secondaryColor RGBColor,
          backgroundColor RGBColor
        TemplateConfiguration: template! S500, dayColorScheme TemplateColorScheme,
          nightColorScheme TemplateColorScheme
        TextField: name! TextFieldName, characterSet! CharacterSet, width! I1:500, rows! I1:8
        TireStatus: pressureTelltale WarningLightStatus, leftFront SingleTireStatus,
          rightFront SingleTireStatus, leftRear SingleTireStatus, rightRear SingleTireStatus,
          innerLeftRear SingleTireStatus, innerRightRear SingleTireStatus
        TouchCoord: x! I0:10000, y! I0:10000
        TouchEvent: id! I0:9, ts! [I0:2000000000]1:1000, c! [TouchCoord]1:1000
        TouchEventCapabilities: pressAvailable! B, multiTouchAvailable! B, doublePressAvailable! B
        Turn: navigationText S500, turnIcon Image
        VehicleDataResult: dataType! VehicleDataType, resultCode! VehicleDataResultCode,
          oemCustomDataType S
        VehicleType: make S500, model S500, modelYear S500, trim S500
        VideoStreamingCapability: preferredResolution ImageResolution, maxBitrate I0:2147483647,
          supportedFormats [VideoStreamingFormat], hapticSpatialDataSupported B,
          diagonalScreenSize F0:, pixelPerInch F0:, scale F1:10, preferredFPS I0:2147483647,
          additionalVideoStreamingCapabilities [VideoStreamingCapability]1:100
        VideoStreamingFormat: protocol! VideoStreamingProtocol, codec! VideoStreamingCodec
        VrHelpItem: text! S500, image Image, position! I1:100
        WeatherAlert: title S, summary S, expires DateTime, regions [S]1:99, severity S,
          timeIssued DateTime
        WeatherData: currentTemperature Temperature, temperatureHigh Temperature,
          temperatureLow Temperature, apparentTemperature Temperature,
          apparentTemperatureHigh Temperature, apparentTemperatureLow Temperature, weatherSummary S,
          time DateTime, humidity F0:1, cloudCover F0:1, moonPhase F0:1, windBearing I, windGust F,
          windSpeed F, nearestStormBearing I, nearestStormDistance I, precipAccumulation F,
          precipIntensity F, precipProbability F0:1, precipType S, visibility F, weatherIcon Image
        WeatherServiceData: location! LocationDetails, currentForecast WeatherData,
          minuteForecast [WeatherData]15:60, hourlyForecast [WeatherData]1:96,
          multidayForecast [WeatherData]1:30, alerts [WeatherAlert]1:10
        WeatherServiceManifest: currentForecastSupported B, maxMultidayForecastAmount I,
          maxHourlyForecastAmount I, maxMinutelyForecastAmount I, weatherForLocationSupported B
        WindowCapability: windowID I, textFields [TextField]1:100, imageFields [ImageField]1:100,
          imageTypeSupported [ImageType]0:1000, templatesAvailable [S100]0:100,
          numCustomPresetsAvailable I1:100, buttonCapabilities [ButtonCapabilities]1:100,
          softButtonCapabilities [SoftButtonCapabilities]1:100,
          menuLayoutsAvailable [MenuLayout]1:1000,
          dynamicUpdateCapabilities DynamicUpdateCapabilities,
          keyboardCapabilities KeyboardCapabilities
        WindowState: approximatePosition! I0:100, deviation! I0:100
        WindowStatus: location! Grid, state! WindowState
        WindowTypeCapabilities: type! WindowType, maximumNumberOfWindows! I
        """
}
